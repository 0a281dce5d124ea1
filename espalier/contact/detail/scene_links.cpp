#include "espalier/contact/detail/scene_links.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/text.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;
using model::JointType;

std::array<double, 3> numbers(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
std::array<double, 4> numbers(const Eigen::Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

double at_or_zero(const std::vector<double>& list, std::size_t k) { return k < list.size() ? list[k] : 0; }

bool any(const std::vector<double>& list) {
  return std::any_of(list.begin(), list.end(), [](double x) { return x != 0; });
}

tl::unexpected<Error> refuse(const Where& where, std::string message) {
  return make_error(ErrorCode::kUnsupported, where, std::move(message));
}

void set_held(JointType type, Link& link) {
  constexpr std::array<bool, 3> kAll = {true, true, true}, kNone = {}, kAcross = {true, true, false};
  switch (type) {
    case JointType::kRevolute:
      link.held_point = kAll, link.held_turn = kAcross;
      break;
    case JointType::kPrismatic:
      link.held_point = kAcross, link.held_turn = kAll;
      break;
    case JointType::kCylindrical:
    case JointType::kScrew:
      link.held_point = kAcross, link.held_turn = kAcross;
      break;
    case JointType::kSpherical:
      link.held_point = kAll, link.held_turn = kNone;
      break;
    case JointType::kPlanar:
      link.held_point = {false, false, true}, link.held_turn = kAcross;
      break;
    case JointType::kUniversal:
      link.held_point = kAll, link.held_turn = {false, false, true};
      break;
    case JointType::kFixed:
      link.held_point = kAll, link.held_turn = kAll;
      break;
    case JointType::kFree:
      break;
  }
  link.slides = !(link.held_point[0] && link.held_point[1] && link.held_point[2]);
}

bool is_angle(const model::Joint& joint, std::size_t k) {
  return model::joint_kind(joint.type).coordinates[k] == model::CoordinateKind::kAngle;
}

// The angle of a screw has its turns from the translation; ball and free joints have a rotation vector.
bool loses_turns(const model::Joint& joint, std::size_t k) {
  return is_angle(joint, k) && joint.type != JointType::kScrew && joint.type != JointType::kSpherical &&
         joint.type != JointType::kFree;
}

struct Builder {
  const model::Model& model;
  Scene& scene;

  bool is_obstacle(model::BodyId id) const { return scene.bodies[id.index()].constants.kind == Kind::kObstacle; }
  bool is_soft(model::BodyId id) const { return scene.bodies[id.index()].constants.kind == Kind::kPseudoRigid; }

  Link between(model::BodyId a, model::BodyId b, const math::Pose& X_AF, const math::Pose& X_BM) const {
    Link link;
    link.a = static_cast<std::int32_t>(a.index());
    link.b = static_cast<std::int32_t>(b.index());
    link.on_a = numbers(Vector3d(X_AF.position - model.bodies[a.index()].inertia.com));
    link.on_b = numbers(Vector3d(X_BM.position - model.bodies[b.index()].inertia.com));
    link.turn_a = numbers(X_AF.rotation);
    link.turn_b = numbers(X_BM.rotation);
    return link;
  }

  Link along(std::size_t number) const {
    const model::Joint& joint = model.joints[number];
    Link link = between(joint.a, joint.b, joint.X_AF, joint.X_BM);
    link.type = joint.type;
    link.pitch = joint.pitch;
    set_held(joint.type, link);
    return link;
  }

  void add(Link link) {
    link.number = static_cast<std::int32_t>(scene.links.size());
    scene.links.push_back(link);
  }

  std::int32_t add_formula(const model::Expression& formula) {
    scene.formulas.push_back(formula);
    return static_cast<std::int32_t>(scene.formulas.size()) - 1;
  }

  // 1. Joints.

  Result<void> check_joint(const model::Joint& joint) const {
    if ((is_soft(joint.a) || is_soft(joint.b)) && joint.type != JointType::kSpherical &&
        joint.type != JointType::kFree) {
      return refuse(joint.where, fmt::format("joint {} holds directions of a pseudo-rigid body, which has none; use "
                                             "spherical joints",
                                             in_quotes(joint.name)));
    }
    const model::JointSpec& spec = joint.spec;
    const bool has_law = any(spec.stiffness) || any(spec.damping) || any(spec.friction) || any(spec.armature);
    if ((is_soft(joint.a) || is_soft(joint.b)) && has_law) {
      return refuse(joint.where, fmt::format("joint {} has a spring, damper or friction at a pseudo-rigid body, which "
                                             "has no directions; use `forces: spring` between points",
                                             in_quotes(joint.name)));
    }
    if (any(spec.velocity)) {
      return refuse(joint.where, fmt::format("joint {} starts with a `velocity`, which the contact engine takes from "
                                             "bodies alone; give the bodies their `velocity`",
                                             in_quotes(joint.name)));
    }
    for (std::size_t k = 0; k < spec.stiffness.size(); ++k) {
      const double away = std::abs(joint.position[k] - at_or_zero(spec.rest, k));
      if (!loses_turns(joint, k) || spec.stiffness[k] == 0 || away <= std::numbers::pi) continue;
      return refuse(joint.where, fmt::format("joint {} has a spring that rests more than half a turn away; the contact "
                                             "engine knows angles but for whole turns: give a nearer `rest`",
                                             in_quotes(joint.name)));
    }
    for (std::size_t k = 0; k < spec.limits.size(); ++k) {
      const double range = spec.limits[k][1] - spec.limits[k][0];
      // An angle is known but for whole turns: what is beyond one limit must not be short of the other.
      if (!is_angle(joint, k) || joint.type == JointType::kScrew || range < 2 * std::numbers::pi - 1e-6) continue;
      if (spec.limits[k][0] <= -1e6 && spec.limits[k][1] >= 1e6) continue;
      return refuse(joint.where, fmt::format("joint {} has limits {} rad apart; the contact engine knows angles but "
                                             "for whole turns: give limits less than a turn apart, or none",
                                             in_quotes(joint.name), range));
    }
    return {};
  }

  static CoordinateLaw law_of(const model::Joint& joint, std::size_t k) {
    const model::JointSpec& spec = joint.spec;
    CoordinateLaw law;
    law.stiffness = at_or_zero(spec.stiffness, k);
    law.rest = at_or_zero(spec.rest, k);
    law.damping = at_or_zero(spec.damping, k);
    law.friction = at_or_zero(spec.friction, k);
    law.armature = at_or_zero(spec.armature, k);
    const bool limited = k < spec.limits.size() && !(spec.limits[k][0] <= -1e6 && spec.limits[k][1] >= 1e6);
    if (limited) law.low = spec.limits[k][0], law.high = spec.limits[k][1];
    return law;
  }

  static bool acts(const CoordinateLaw& law) {
    return law.stiffness != 0 || law.damping != 0 || law.friction != 0 || law.armature != 0 ||
           law.low > -CoordinateLaw::kNoLimit || law.high < CoordinateLaw::kNoLimit || law.position >= 0 ||
           law.velocity >= 0 || law.effort >= 0;
  }

  // Springs of ball and free joints pull at the rotation vector, all else at the spin: two rows.
  void add_coordinate(Link link, std::size_t k, const CoordinateLaw& law) {
    link.kind = Link::Kind::kCoordinate;
    link.coordinate = static_cast<std::int8_t>(k);
    const bool turns_freely = (link.type == JointType::kSpherical) || (link.type == JointType::kFree && k >= 3);
    link.law = law;
    if (!turns_freely) {
      if (acts(law)) add(link);
      return;
    }
    link.law.stiffness = 0;
    if (acts(link.law)) add(link);
    if (law.stiffness == 0) return;
    link.of_vector = true;
    link.law = {};
    link.law.stiffness = law.stiffness;
    link.law.rest = law.rest;
    add(link);
  }

  // The forces that act on a joint's coordinate join its own law, so that it has one row.
  using Drives = std::vector<const model::Force*>;

  // The sum of all efforts, held to the joint's effort_limit; nothing where there is none.
  Result<std::optional<model::Expression>> effort_of(const model::Joint& joint, const Drives& drives) const {
    std::vector<std::string> texts;
    const model::Force* last = nullptr;
    for (const model::Force* drive : drives) {
      const auto* load = std::get_if<model::Load>(&drive->law);
      if (load == nullptr) continue;
      texts.push_back("(" + load->value.front().text + ")");
      last = drive;
    }
    if (last == nullptr) return std::nullopt;
    const std::optional<double>& limit = joint.spec.effort_limit;
    if (texts.size() == 1 && !limit) return std::get<model::Load>(last->law).value.front();
    std::string sum = fmt::format("{}", fmt::join(texts, " + "));
    if (limit) sum = fmt::format("max({}, min({}, {}))", number_text(-*limit), number_text(*limit), sum);
    const Result<model::Expression> effort = model::parse_expression(sum, last->where);
    ESPALIER_TRY(effort);
    return *effort;
  }

  static Result<void> check_blocked(const model::Joint& joint, const Drives& drives) {
    const auto moved = std::find_if(drives.begin(), drives.end(), [](const model::Force* drive) {
      return std::holds_alternative<model::Motion>(drive->law);
    });
    if (moved == drives.end()) return {};
    return refuse(
        (*moved)->where,
        fmt::format("joint {} is driven but cannot move: both its bodies stand; drive another", in_quotes(joint.name)));
  }

  Result<void> add_joint(std::size_t number, const Drives& drives) {
    const model::Joint& joint = model.joints[number];
    const Result<void> checked = check_joint(joint);
    ESPALIER_TRY(checked);
    if (is_obstacle(joint.a) && is_obstacle(joint.b)) return check_blocked(joint, drives);
    const Link link = along(number);
    if (joint.type != JointType::kFree) {
      add(link);
      scene.excluded.emplace_back(std::min(link.a, link.b), std::max(link.a, link.b));
    }
    const Result<std::optional<model::Expression>> effort = effort_of(joint, drives);
    ESPALIER_TRY(effort);
    const auto freedom = static_cast<std::size_t>(model::joint_kind(joint.type).freedom);
    for (std::size_t k = 0; k < freedom; ++k) {
      CoordinateLaw law = law_of(joint, k);
      for (const model::Force* drive : drives) {
        const auto* motion = std::get_if<model::Motion>(&drive->law);
        if (motion != nullptr) (motion->is_velocity ? law.velocity : law.position) = add_formula(motion->value);
      }
      if (*effort) law.effort = add_formula(**effort);
      add_coordinate(link, k, law);
    }
    gather_notes(joint, drives);
    return {};
  }

  // What is true within limits: names of joints by note, told once by tell_notes.
  std::vector<std::string> sprung = {}, held = {}, exceeded = {}, speeds = {};

  void gather_notes(const model::Joint& joint, const Drives& drives) {
    for (std::size_t k = 0; k < joint.spec.stiffness.size(); ++k) {
      if (joint.spec.stiffness[k] == 0 || !loses_turns(joint, k)) continue;
      sprung.push_back(in_quotes(joint.name));
      break;
    }
    if (drives.empty()) return;
    const bool moved = std::any_of(drives.begin(), drives.end(), [](const model::Force* drive) {
      return std::holds_alternative<model::Motion>(drive->law);
    });
    if (joint.spec.effort_limit) (moved ? exceeded : held).push_back(in_quotes(joint.name));
    if (joint.spec.velocity_limit) speeds.push_back(in_quotes(joint.name));
  }

  void tell_notes() {
    constexpr std::size_t kFew = 5;
    for (const auto& [what, names] :
         {std::pair("Springs of these joints are right within half a turn of their rest position", &sprung),
          std::pair("What drives these joints is held to their effort_limit", &held),
          std::pair("A prescribed motion takes the effort it needs, whatever effort_limit says", &exceeded),
          std::pair("A velocity_limit is carried along, nothing holds it", &speeds)}) {
      if (names->empty()) continue;
      const std::size_t shown = std::min(names->size(), kFew);
      std::string list = fmt::format("{}", fmt::join(names->begin(), names->begin() + static_cast<long>(shown), ", "));
      if (shown < names->size()) list += fmt::format(" and {} others", names->size() - shown);
      scene.notes.push_back(fmt::format("{}: {}.", what, list));
    }
  }

  // 2. Forces.

  void add_spring(const model::Spring& spring) {
    if (spring.a == spring.b || (is_obstacle(spring.a) && is_obstacle(spring.b))) return;
    const auto at = [](const Vector3d& point) { return math::Pose{point, Eigen::Quaterniond::Identity()}; };
    Link link = between(spring.a, spring.b, at(spring.point_a), at(spring.point_b));
    link.kind = Link::Kind::kSpring;
    link.slides = true;
    link.law.stiffness = spring.stiffness;
    link.law.rest = spring.length;
    link.law.damping = spring.damping;
    link.law.force = spring.tension;
    if (spring.limits) {
      link.law.low = (*spring.limits)[0] > 0 ? (*spring.limits)[0] : -CoordinateLaw::kNoLimit;
      link.law.high = std::min((*spring.limits)[1], CoordinateLaw::kNoLimit);
    }
    add(link);
  }

  Result<void> add_bushing(std::size_t number, const model::Bushing& bushing) {
    if (bushing.a == bushing.b || (is_obstacle(bushing.a) && is_obstacle(bushing.b))) return {};
    if (is_soft(bushing.a) || is_soft(bushing.b)) {
      return refuse(model.forces[number].where,
                    "a bushing turns its bodies, and pseudo-rigid bodies have no directions; use springs between "
                    "points");
    }
    Link link = between(bushing.a, bushing.b, bushing.X_AF, bushing.X_BM);
    link.type = JointType::kFree;
    link.slides = true;
    for (std::size_t k = 0; k < 6; ++k) {
      add_coordinate(link, k, {.stiffness = bushing.stiffness[k], .damping = bushing.damping[k]});
    }
    return {};
  }

  Result<void> add_load(std::size_t number, const model::Load& load) {
    if (load.joint.valid() || is_obstacle(load.body)) return {};
    const Vector3d arm = load.point - model.bodies[load.body.index()].inertia.com;
    if (is_soft(load.body) && (load.torque || load.in_body || arm.norm() > 0)) {
      return refuse(model.forces[number].where,
                    fmt::format("pseudo-rigid bodies take forces along world axes at their centre of mass alone; put "
                                "the load of {} there, or make it `kind: rigid`",
                                in_quotes(model.bodies[load.body.index()].name)));
    }
    BodyLoad made;
    made.body = static_cast<std::int32_t>(load.body.index());
    made.torque = load.torque;
    made.in_body = load.in_body;
    made.point = numbers(arm);
    for (std::size_t k = 0; k < 3; ++k) made.value[k] = add_formula(load.value[k]);
    scene.loads.push_back(made);
    return {};
  }

  Result<void> add_force(std::size_t number) {
    const model::Force& force = model.forces[number];
    if (const auto* spring = std::get_if<model::Spring>(&force.law)) {
      add_spring(*spring);
    } else if (const auto* bushing = std::get_if<model::Bushing>(&force.law)) {
      return add_bushing(number, *bushing);
    } else if (const auto* load = std::get_if<model::Load>(&force.law)) {
      return add_load(number, *load);
    }
    return {};
  }
};

}  // namespace

Result<void> add_links(const model::Model& model, Scene& scene) {
  Builder builder{model, scene};
  std::vector<Builder::Drives> drives(model.joints.size());
  for (std::size_t f = 0; f < model.forces.size(); ++f) {
    const auto* motion = std::get_if<model::Motion>(&model.forces[f].law);
    const auto* load = std::get_if<model::Load>(&model.forces[f].law);
    const model::JointId joint = motion != nullptr ? motion->joint : load != nullptr ? load->joint : model::JointId{};
    if (joint.valid()) drives[joint.index()].push_back(&model.forces[f]);
  }
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Result<void> added = builder.add_joint(j, drives[j]);
    ESPALIER_TRY(added);
  }
  builder.tell_notes();
  for (std::size_t f = 0; f < model.forces.size(); ++f) {
    const Result<void> added = builder.add_force(f);
    ESPALIER_TRY(added);
  }
  std::stable_sort(scene.loads.begin(), scene.loads.end(),
                   [](const BodyLoad& a, const BodyLoad& b) { return a.body < b.body; });
  return {};
}

}  // namespace espalier::contact::detail
