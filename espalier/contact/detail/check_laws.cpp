#include "espalier/contact/detail/check_laws.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <Eigen/LU>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;
using model::BodyKind;

tl::unexpected<Error> unsupported(const Where& where, std::string message) {
  return make_error(ErrorCode::kUnsupported, where, std::move(message));
}

class Checker {
 public:
  Checker(const model::Model& model, const model::Laws& laws) : model_(model), laws_(laws) {}

  Result<std::vector<std::string>> check() {
    // The ground is first, and nothing is asked of it.
    for (std::size_t id = 1; id < model_.bodies.size(); ++id) {
      const Result<void> body = check_body(model_.bodies[id]);
      ESPALIER_TRY(body);
    }
    if (!model_.couplings.empty()) {
      return make_error(ErrorCode::kValue, model_.couplings.front().where,
                        "couplings are not done by the contact engine; leave them out, or leave out `contact`");
    }
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      const Result<void> joint = check_joint(model_.joints[j], laws_.joints[j]);
      ESPALIER_TRY(joint);
    }
    for (const model::Watched& watched : model_.watched) {
      const Result<void> checked = check_watched(watched);
      ESPALIER_TRY(checked);
    }
    for (const model::Force& force : model_.forces) {
      const Result<void> checked = check_force(force);
      ESPALIER_TRY(checked);
    }
    return notes();
  }

 private:
  bool is_obstacle(model::BodyId id) const {
    return id == model::kGroundId || model_.body(id).kind == BodyKind::kObstacle;
  }
  bool is_soft(model::BodyId id) const { return model_.body(id).kind == BodyKind::kPseudoRigid; }

  // 1. Bodies.

  static Result<void> check_body(const model::Body& body) {
    if (body.kind == BodyKind::kObstacle) return {};
    if (body.beam) {
      return make_error(ErrorCode::kValue, body.where,
                        fmt::format("body {} is elastic, which the contact engine does not do; make it `kind: rigid` "
                                    "or `kind: pseudo_rigid`",
                                    in_quotes(body.name)));
    }
    if (!(body.inertia.mass > 0)) {
      return make_error(ErrorCode::kValue, body.where,
                        fmt::format("body {} moves but has no mass; give `mass`, or a material with a density, or make "
                                    "it `kind: obstacle`",
                                    in_quotes(body.name)));
    }
    // A determinant grows with the third power of what it is compared with.
    const double largest = body.inertia.about_com.norm();
    if (body.kind != BodyKind::kPoint &&
        !(body.inertia.about_com.determinant() > 1e-30 * largest * largest * largest)) {
      return make_error(ErrorCode::kValue, body.where,
                        fmt::format("body {} can turn but has no inertia about some axis; give `inertia`, or a shape "
                                    "and a density",
                                    in_quotes(body.name)));
    }
    if (std::find(body.active.begin(), body.active.end(), false) != body.active.end()) {
      return make_error(ErrorCode::kValue, body.where,
                        fmt::format("body {} is held to some directions by `active`, which the contact engine does not "
                                    "do; use joints",
                                    in_quotes(body.name)));
    }
    return {};
  }

  // 2. Joints.

  Result<void> check_joint(const model::Joint& joint, const model::JointLaw& law) {
    const Result<void> soft = check_soft(joint, law);
    ESPALIER_TRY(soft);
    // The state of this engine is that of bodies: a velocity of a joint has no place in it.
    const std::vector<double>& velocity = joint.spec.velocity;
    if (std::any_of(velocity.begin(), velocity.end(), [](double v) { return v != 0; })) {
      return unsupported(joint.where, fmt::format("joint {} starts with a `velocity`, which the contact engine takes "
                                                  "from bodies alone; give the bodies their `velocity`",
                                                  in_quotes(joint.name)));
    }
    for (std::size_t k = 0; k < law.coordinates.size(); ++k) {
      const Result<void> turns = check_turns(joint, law.coordinates[k], k);
      ESPALIER_TRY(turns);
    }
    // Between bodies that stand nothing is solved: only a motion would be missed.
    if (is_obstacle(joint.a) && is_obstacle(joint.b)) return check_blocked(joint, law);
    gather_notes(joint, law);
    return {};
  }

  // A pseudo-rigid body has a place and a deformation, and no axes.
  Result<void> check_soft(const model::Joint& joint, const model::JointLaw& law) const {
    if (!is_soft(joint.a) && !is_soft(joint.b)) return {};
    const model::JointRow& row = model::joint_row(joint.type);
    // Directions beyond kZ are those of turns.
    const bool holds_turns = std::any_of(row.rows.begin(), row.rows.end(),
                                         [](model::Direction held) { return held > model::Direction::kZ; });
    // To slide takes a direction as well, and a pseudo-rigid body has none to give.
    if (holds_turns || (row.slides && row.kind.constraint > 0)) {
      return unsupported(joint.where, fmt::format("joint {} holds directions of a pseudo-rigid body, which has none; "
                                                  "use spherical joints",
                                                  in_quotes(joint.name)));
    }
    const auto acts = [](const model::CoordinateLaw& c) {
      return c.stiffness != 0 || c.damping != 0 || c.friction != 0 || c.armature != 0;
    };
    if (std::any_of(law.coordinates.begin(), law.coordinates.end(), acts)) {
      return unsupported(joint.where, fmt::format("joint {} has a spring, damper or friction at a pseudo-rigid body, "
                                                  "which has no directions; use `forces: spring` between points",
                                                  in_quotes(joint.name)));
    }
    return {};
  }

  // Angles are measured from the poses at every step: what is beyond one limit must not be short of the other.
  static Result<void> check_turns(const model::Joint& joint, const model::CoordinateLaw& law, std::size_t k) {
    const model::JointKind& kind = model::joint_kind(joint.type);
    if (!loses_turns(kind.type, static_cast<int>(k))) return {};
    // The angle nearest to the rest would be another one.
    if (law.stiffness != 0 && std::abs(joint.position[k] - law.rest) > std::numbers::pi) {
      return unsupported(joint.where, fmt::format("joint {} has a spring that rests more than half a turn away; the "
                                                  "contact engine knows angles except for whole turns: give a nearer "
                                                  "`rest`",
                                                  in_quotes(joint.name)));
    }
    const double range = law.limits ? (*law.limits)[1] - (*law.limits)[0] : 0;
    // Limits a turn apart look the same.
    if (range >= 2 * std::numbers::pi - 1e-6) {
      return unsupported(joint.where, fmt::format("joint {} has limits {} rad apart; the contact engine knows angles "
                                                  "except for whole turns: give limits less than a turn apart, or none",
                                                  in_quotes(joint.name), range));
    }
    return {};
  }

  Result<void> check_blocked(const model::Joint& joint, const model::JointLaw& law) const {
    // Springs and limits of such a joint have nothing to do, but a motion was meant to move something.
    if (law.motions.empty()) return {};
    const model::Equation& motion = laws_.equations[to_index(law.motions.front())];
    return unsupported(motion.where, fmt::format("joint {} is driven but cannot move: both its bodies stand; drive "
                                                 "another",
                                                 in_quotes(joint.name)));
  }

  // 3. Forces.

  Result<void> check_watched(const model::Watched& watched) {
    const model::Joint& joint = model_.joint(watched.joint);
    if (is_soft(joint.a) || is_soft(joint.b)) {
      return unsupported(watched.where, fmt::format("a formula names the coordinate of joint {}, which holds a "
                                                    "pseudo-rigid body without directions; name a joint of rigid "
                                                    "bodies",
                                                    in_quotes(joint.name)));
    }
    if (!watched.is_rate && loses_turns(joint.type, watched.coordinate)) named_.push_back(in_quotes(joint.name));
    return {};
  }

  Result<void> check_force(const model::Force& force) const {
    if (const auto* bushing = std::get_if<model::Bushing>(&force.law)) return check_bushing(*bushing, force.where);
    if (const auto* load = std::get_if<model::Load>(&force.law)) return check_load(*load, force.where);
    return {};
  }

  Result<void> check_bushing(const model::Bushing& bushing, const Where& where) const {
    // Between two points of one body it does nothing.
    if (bushing.a == bushing.b || !(is_soft(bushing.a) || is_soft(bushing.b))) return {};
    return unsupported(where,
                       "a bushing turns its bodies, and pseudo-rigid bodies have no directions; use springs between "
                       "points");
  }

  Result<void> check_load(const model::Load& load, const Where& where) const {
    if (load.joint.valid() || !is_soft(load.body)) return {};
    const model::Body& body = model_.body(load.body);
    const Vector3d arm = load.point - body.inertia.com;
    // The one load it takes: a force along world axes at its centre of mass.
    if (!load.torque && !load.in_body && !(arm.norm() > 0)) return {};
    return unsupported(where, fmt::format("pseudo-rigid bodies take forces along world axes at their centre of mass "
                                          "alone; put the load of {} there, or make it `kind: rigid`",
                                          in_quotes(body.name)));
  }

  // 4. Notes: what is true within limits, one sentence for all joints it is true of.

  void gather_notes(const model::Joint& joint, const model::JointLaw& law) {
    const model::JointKind& kind = model::joint_kind(joint.type);
    // Once per joint, however many of its coordinates have a spring.
    for (std::size_t k = 0; k < law.coordinates.size(); ++k) {
      if (law.coordinates[k].stiffness == 0 || !loses_turns(kind.type, static_cast<int>(k))) continue;
      sprung_.push_back(in_quotes(joint.name));
      break;
    }
    if (!law.is_driven()) return;
    // Efforts are cut off at the limit; a prescribed motion takes what it needs.
    if (joint.spec.effort_limit) (law.motions.empty() ? held_ : exceeded_).push_back(in_quotes(joint.name));
    if (joint.spec.velocity_limit) speeds_.push_back(in_quotes(joint.name));
  }

  std::vector<std::string> notes() const {
    constexpr std::size_t kFew = 5;
    std::vector<std::string> all;
    for (const auto& [what, names] :
         {std::pair("Springs of these joints are right within half a turn of their rest position", &sprung_),
          std::pair("Formulas that name the angles of these joints are right within half a turn of the drawn position",
                    &named_),
          std::pair("What drives these joints is held to their effort_limit", &held_),
          std::pair("A prescribed motion takes the effort it needs, whatever effort_limit says", &exceeded_),
          std::pair("A velocity_limit is carried along, nothing holds it", &speeds_)}) {
      if (names->empty()) continue;
      const std::size_t shown = std::min(names->size(), kFew);
      std::string list = fmt::format("{}", fmt::join(names->begin(), names->begin() + static_cast<long>(shown), ", "));
      if (shown < names->size()) list += fmt::format(" and {} others", names->size() - shown);
      all.push_back(fmt::format("{}: {}.", what, list));
    }
    return all;
  }

  const model::Model& model_;
  const model::Laws& laws_;
  std::vector<std::string> sprung_, named_, held_, exceeded_, speeds_;  // names of joints
};

}  // namespace

Result<std::vector<std::string>> check_laws(const model::Model& model, const model::Laws& laws) {
  return Checker(model, laws).check();
}

}  // namespace espalier::contact::detail
