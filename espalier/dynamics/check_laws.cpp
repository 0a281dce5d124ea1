#include "espalier/dynamics/check_laws.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/dynamics/detail/tree_pass.hpp"

namespace espalier::dynamics {
namespace {

using model::JointType;
using Notes = std::vector<model::Note>;

tl::unexpected<Error> unsupported(const Where& where, std::string message) {
  return make_error(ErrorCode::kUnsupported, where, std::move(message));
}

// "'a', 'b' and 3 others".
std::string some_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), kShown); ++k) {
    if (k > 0) text += ", ";
    text += in_quotes(names[k]);
  }
  return names.size() <= kShown ? text : fmt::format("{} and {} others", text, names.size() - kShown);
}

// One note for all elements of a kind.
struct Gathered {
  std::vector<std::string> names;
  Where first;

  void add(const std::string& name, const Where& where) {
    if (names.empty()) first = where;
    names.push_back(name);
  }
  void tell(const char* format, Notes& notes) const {
    if (!names.empty()) notes.push_back({fmt::format(fmt::runtime(format), some_names(names)), first});
  }
};

Result<void> check_bodies(const model::Model& model, Notes& notes) {
  if (model.contact && model.contact->on) {
    return unsupported({},
                       "the model asks for contact, which the recursive engine does not compute; take the `contact` "
                       "section away, or switch it off, to run without");
  }
  Gathered elastic;
  for (const model::Body& body : model.bodies) {
    if (std::find(body.active.begin(), body.active.end(), false) != body.active.end()) {
      return unsupported(body.where, fmt::format("body {} is restricted to some directions by `active`, which the "
                                                 "recursive engine does not honour; use joints that leave only these",
                                                 in_quotes(body.name)));
    }
    switch (body.kind) {
      case model::BodyKind::kBeam:
      case model::BodyKind::kRod:
      case model::BodyKind::kShaft:
      case model::BodyKind::kPseudoRigid:
        elastic.add(body.name, body.where);
        break;
      default:
        break;
    }
  }
  elastic.tell("elastic bodies are taken as rigid: {}", notes);
  return {};
}

bool any(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return value != 0; });
}

// Armature is inertia of single coordinates: it needs the joint's own coordinates in the tree, and where three angular
// velocities are no coordinates, the same value for all of them.
Result<void> check_armature(const System& system, const model::Joint& joint, int link) {
  const std::vector<double>& armature = joint.spec.armature;
  if (!any(armature)) return {};
  const std::string start = fmt::format("joint {} has `armature`", in_quotes(joint.name));
  if (link < 0) return unsupported(joint.where, start + " and is cut; pin it, so that the tree keeps its coordinate");
  const bool slides = joint.type == JointType::kPlanar || joint.type == JointType::kFree;
  if (slides && system.links[static_cast<std::size_t>(link)].reversed && (armature[0] != 0 || armature[1] != 0)) {
    return unsupported(joint.where, start + ", and the tree runs from its second body to its first; exchange the two");
  }
  const bool turns = joint.type == JointType::kSpherical || joint.type == JointType::kFree;
  const std::size_t n = armature.size();
  if (turns && (armature[n - 1] != armature[n - 2] || armature[n - 1] != armature[n - 3])) {
    return unsupported(joint.where, start + " that differs about its three axes; give the three the same value");
  }
  return {};
}

// A cut hinge knows its angle but for whole turns, and takes it nearest to the rest position and to the middle of its
// limits: right as long as it stays within half a turn of these.
Result<void> check_turns(const model::Joint& joint, int link, Gathered& springs) {
  if (link >= 0 || joint.type == JointType::kScrew || joint.type == JointType::kSpherical ||
      joint.type == JointType::kFree)
    return {};
  const model::JointSpec& spec = joint.spec;
  const auto coordinates = model::joint_kind(joint.type).coordinates;
  const auto out_of_reach = [&](const char* what) {
    return unsupported(joint.where, fmt::format("joint {} is cut and cannot count whole turns, which its {} asks for; "
                                                "pin it, so that the tree keeps its coordinate",
                                                in_quotes(joint.name), what));
  };
  bool sprung = false;
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    if (coordinates[k] != model::CoordinateKind::kAngle) continue;
    if (k < spec.stiffness.size() && spec.stiffness[k] != 0) {
      const double rest = k < spec.rest.size() ? spec.rest[k] : 0;
      if (std::abs(joint.position[k] - rest) > std::numbers::pi) return out_of_reach("spring");
      sprung = true;
    }
    if (k >= spec.limits.size()) continue;
    const auto& [low, high] = spec.limits[k];
    if (high - low >= 2 * std::numbers::pi || std::abs(joint.position[k] - (low + high) / 2) > std::numbers::pi)
      return out_of_reach("range of limits");
  }
  if (sprung) springs.add(joint.name, joint.where);
  return {};
}

Result<void> check_joints(const System& system, Notes& notes) {
  Gathered springs, drives;
  for (std::size_t j = 0; j < system.model.joints.size(); ++j) {
    const model::Joint& joint = system.model.joints[j];
    const Result<void> armature = check_armature(system, joint, system.link_of[j]);
    ESPALIER_TRY(armature);
    const Result<void> turns = check_turns(joint, system.link_of[j], springs);
    ESPALIER_TRY(turns);
    if (joint.spec.effort_limit || joint.spec.velocity_limit) drives.add(joint.name, joint.where);
  }
  springs.tell(
      "springs of cut joints are right within half a turn of their rest position (pin a joint that turns "
      "further): {}",
      notes);
  drives.tell("effort_limit and velocity_limit are carried along, nothing enforces them: {}", notes);
  return {};
}

Where where_of(const System& system, std::size_t drive) {
  std::size_t index = 0;
  for (const model::Force& force : system.model.forces) {
    if (std::holds_alternative<model::Motion>(force.law) && index++ == drive) return force.where;
  }
  return system.model.couplings[drive - index].where;
}

Result<void> check_springs(const System& system) {
  for (const model::Force& force : system.model.forces) {
    const auto* spring = std::get_if<model::Spring>(&force.law);
    if (spring == nullptr || !spring->limits) continue;
    return unsupported(force.where,
                       "the recursive engine has no `limits` of springs; leave them out, or take "
                       "`--engine contact`");
  }
  return {};
}

Result<void> check_drive(const System& system, std::size_t index) {
  const Drive& drive = system.drives[index];
  double wrapped_ratio = 0;
  for (std::size_t k = 0; k < drive.terms.size(); ++k) {
    const DriveTerm& term = drive.terms[k];
    const std::string name = in_quotes(system.model.joint(term.place.joint).name);
    if (term.place.a == term.place.b) {
      return make_error(ErrorCode::kTopology, where_of(system, index),
                        fmt::format("joint {} is driven but cannot move: its bodies are welded together", name));
    }
    if (term.place.link >= 0 || term.place.type != JointType::kRevolute) continue;
    const bool curved = !drive.polynomial.empty() && k > 0;
    const bool uneven = wrapped_ratio != 0 && std::abs(term.ratio) != wrapped_ratio;
    if (curved || uneven) {
      return unsupported(where_of(system, index),
                         fmt::format("joint {} is cut and cannot count whole turns, which its coupling asks for; pin "
                                     "it, so that the tree keeps its coordinate",
                                     name));
    }
    wrapped_ratio = std::abs(term.ratio);
  }
  return {};
}

// Inertia that a link's joint feels at the drawn pose: of all it carries, and what is left of it while all further
// joints are free to follow.
struct Felt {
  std::vector<math::SpatialMatrix> whole, free;  // by link
  LinkArrays links;
  std::vector<MotionSubspace> motion;

  explicit Felt(const System& system)
      : whole(system.links.size()), free(system.links.size()), links(system), motion(system.links.size()) {
    const std::vector<double> still(static_cast<std::size_t>(system.velocity_size), 0);
    for (std::size_t i = 1; i < system.links.size(); ++i) {
      detail::pass_to_link(system, static_cast<int>(i), system.drawn, still, links, motion[i]);
      whole[i] = math::spatial_matrix(math::transformed(links.pose[i], system.links[i].inertia));
      free[i] = whole[i];
    }
    whole[0].setZero();
    free[0].setZero();
  }
};

using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

// The smallest part of a joint's inertia that is left to one of its motions, in units of what it carries; 0 where a
// motion meets no inertia. Passes what is left on to the parent.
double pass_inertia(const System& system, std::size_t i, Felt& felt) {
  const Link& link = system.links[i];
  const auto S = felt.motion[i].s.column.leftCols(link.freedom);
  Block carried = S.transpose() * felt.whole[i] * S;
  Block left = S.transpose() * felt.free[i] * S;
  for (int k = 0; k < link.freedom; ++k) {
    carried(k, k) += link.armature[static_cast<std::size_t>(k)];
    left(k, k) += link.armature[static_cast<std::size_t>(k)];
  }
  const Block U = felt.free[i] * S;
  const auto parent = static_cast<std::size_t>(link.parent);
  felt.whole[parent] += felt.whole[i];
  felt.free[parent] += felt.free[i];
  if (!(carried.diagonal().minCoeff() > 0)) return 0;
  const Eigen::VectorXd scale = carried.diagonal().cwiseSqrt().cwiseInverse();
  const Block scaled = scale.asDiagonal() * left * scale.asDiagonal();
  const double smallest = Eigen::SelfAdjointEigenSolver<Block>(scaled, Eigen::EigenvaluesOnly).eigenvalues()[0];
  if (smallest > 0) felt.free[parent] -= U * left.inverse() * U.transpose();
  return smallest;
}

// The body that a link's joint moves; of a floating base its first.
const model::Body& body_of(const System& system, std::size_t i) {
  const Link& link = system.links[i];
  if (link.joint.valid()) {
    const model::Joint& joint = system.model.joint(link.joint);
    return system.model.body(link.reversed ? joint.a : joint.b);
  }
  const auto seat = std::find_if(system.seats.begin(), system.seats.end(),
                                 [&](const Seat& s) { return s.link == static_cast<int>(i); });
  return system.model.bodies[static_cast<std::size_t>(seat - system.seats.begin())];
}

Result<void> check_inertia(const System& system, Notes& notes) {
  constexpr double kSingular = 1e-13;
  constexpr double kPoor = 1e-8;
  Felt felt(system);
  Gathered light;
  for (std::size_t i = system.links.size() - 1; i > 0; --i) {
    const double left = pass_inertia(system, i, felt);
    if (left > kPoor) continue;
    const model::Body& body = body_of(system, i);
    const model::JointId joint = system.links[i].joint;
    if (left > kSingular) {
      light.add(body.name, body.where);
      continue;
    }
    const std::string by = joint.valid() ? fmt::format(" by joint {}", in_quotes(system.model.joint(joint).name)) : "";
    return make_error(ErrorCode::kValue, body.where,
                      fmt::format("no mass resists a motion of body {} that hangs{}: its acceleration is not defined; "
                                  "give it mass and inertia, or fix it to its neighbour",
                                  in_quotes(body.name), by));
  }
  light.tell("hardly any mass resists these bodies, which makes accelerations large and steps small: {}", notes);
  return {};
}

}  // namespace

Result<std::vector<model::Note>> check_laws(const System& system) {
  Notes notes;
  const Result<void> bodies = check_bodies(system.model, notes);
  ESPALIER_TRY(bodies);
  const Result<void> joints = check_joints(system, notes);
  ESPALIER_TRY(joints);
  const Result<void> springs = check_springs(system);
  ESPALIER_TRY(springs);
  for (std::size_t d = 0; d < system.drives.size(); ++d) {
    const Result<void> drive = check_drive(system, d);
    ESPALIER_TRY(drive);
  }
  const Result<void> inertia = check_inertia(system, notes);
  ESPALIER_TRY(inertia);
  return notes;
}

}  // namespace espalier::dynamics
