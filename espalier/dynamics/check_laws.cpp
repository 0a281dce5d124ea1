#include "espalier/dynamics/system.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/branch_inertia.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/plain_system.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/run_tree.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics {
namespace {

using detail::DriveTerm;
using detail::MotionSubspace;
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

// " in the tree that cuts 'B'"; nothing where no joint is cut.
std::string tree_text(const System& system) {
  std::vector<std::string> names;
  for (const Closure& closure : system->closures) {
    if (closure.joint.valid()) names.push_back(system->model.joint(closure.joint).name);
  }
  return names.empty() ? "" : fmt::format(" in the tree that cuts {}", some_names(names));
}

// "; the tree that cuts 'A' can be computed", where there is one.
std::string way_out(const System& system) {
  // The tree that the planner would choose for a run; where it has the same fault there is nothing to advise.
  const plan::Mechanism mechanism = plan::make_mechanism(system->model);
  const plan::Network network = plan::make_network(system->model, mechanism, plan::Weights::kLiu);
  const Result<plan::Plan> plan = plan::make_plan(network, options_for_run(system->model, mechanism, {}));
  // Without a loop there is one tree.
  if (!plan || plan->cut.empty()) return "";
  const RunTree tree = make_run_tree(system->model, mechanism, *plan);
  const std::vector<double> resistance =
      detail::link_resistances(detail::make_plain_system(system->model, mechanism, tree.plan));
  if (*std::min_element(resistance.begin(), resistance.end()) <= detail::kSingular) return "";
  std::vector<std::string> names;
  for (const int e : plan->cut) names.push_back(plan::edge_name(network, e));
  return fmt::format("; the tree that cuts {} can be computed", some_names(names));
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

const char* elastic_word(model::BodyKind kind) {
  switch (kind) {
    case model::BodyKind::kBeam:
      return "beam";
    case model::BodyKind::kRod:
      return "rod";
    case model::BodyKind::kShaft:
      return "shaft";
    case model::BodyKind::kPseudoRigid:
      return "pseudo_rigid";
    case model::BodyKind::kRigid:
    case model::BodyKind::kPoint:
    case model::BodyKind::kObstacle:
      break;
  }
  return nullptr;
}

// Directions x y z rx ry rz of the world.
using Directions = model::ActiveDirections;

// The directions that the joints between the world and a link may move it in, seen from the drawn pose: all of them
// where two axes turn.
Directions open_directions(const System& system, std::size_t link, const std::vector<MotionSubspace>& motion) {
  constexpr double kZero = 1e-9;
  Directions open{};
  for (std::size_t i = link; i > 0; i = to_index(system->links[i].parent)) {
    for (int k = 0; k < system->links[i].freedom; ++k) {
      const SpatialVector column = motion[i].s.column.col(k);
      const bool turns = column.head<3>().norm() > kZero;
      for (int axis = 0; axis < 3; ++axis) {
        // A column that turns has a linear part too, by its lever about the world's origin: that is no slide.
        if (turns && std::abs(column[axis]) > kZero) open[to_index(3 + axis)] = true;
        if (!turns && std::abs(column[3 + axis]) > kZero) open[to_index(axis)] = true;
      }
      // A screw slides as well.
      const double slide = model::joint_row(system->links[i].type).threaded ? system->links[i].pitch : 0;
      for (int axis = 0; axis < 3 && slide != 0; ++axis) {
        if (std::abs(column[axis]) > kZero) open[to_index(axis)] = true;
      }
    }
  }
  // Turned about one axis a body slides across it as well; about two it can come to point anywhere.
  const auto turning = std::count(open.begin() + 3, open.end(), true);
  if (turning > 1) open.fill(true);
  for (std::size_t axis = 0; axis < 3 && turning == 1; ++axis) {
    if (!open[3 + axis]) open[axis] = true;
  }
  return open;
}

// `active` holds where the joints leave nothing else; it adds no equation.
Result<void> check_active(const System& system) {
  const auto restricted = [](const model::Body& body) {
    return std::find(body.active.begin(), body.active.end(), false) != body.active.end();
  };
  if (std::none_of(system->model.bodies.begin() + 1, system->model.bodies.end(), restricted)) return {};
  // The drawn pose stands for all: joints that leave a direction closed here and open elsewhere turn about two axes,
  // for which everything counts as open.
  const std::vector<MotionSubspace> motion = detail::drawn_motions(system);
  for (std::size_t b = 1; b < system->model.bodies.size(); ++b) {
    const model::Body& body = system->model.bodies[b];
    if (!restricted(body)) continue;
    const Directions open = open_directions(system, to_index(system->body_places[b].link), motion);
    for (std::size_t k = 0; k < open.size(); ++k) {
      // Closed by joints and by `active` alike: nothing is asked of the engine.
      if (!open[k] || body.active[k]) continue;
      return unsupported(body.where, fmt::format("`active` keeps body {} from moving along {}, and its joints do not; "
                                                 "use joints that leave only the directions it may move in, or leave "
                                                 "`active` out",
                                                 in_quotes(body.name), model::kDirectionWords[k]));
    }
  }
  return {};
}

Result<void> check_bodies(const System& system, Notes& notes) {
  const model::Model& model = system->model;
  if (model.contact && model.contact->on)
    notes.push_back({"contact is not computed by this engine: bodies move through each other", {}});
  for (const model::Body& body : model.bodies) {
    const char* word = elastic_word(body.kind);
    if (word == nullptr) continue;
    // Elastic bodies as rigid ones would move, and wrongly.
    return unsupported(body.where, fmt::format("body {} is of kind {}; simulate moves rigid bodies alone: give it "
                                               "`kind: rigid`, mass and inertia",
                                               in_quotes(body.name), word));
  }
  return check_active(system);
}

bool any(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return value != 0; });
}

// Armature is inertia of single coordinates: where three angular velocities are no coordinates, it must be the same for
// all of them.
Result<void> check_armature(const System& system, const model::Joint& joint, int link) {
  const std::vector<double>& armature = joint.spec.armature;
  if (!any(armature) || link < 0) return {};
  const std::string start = fmt::format("joint {} has `armature`", in_quotes(joint.name));
  const model::JointRow& row = model::joint_row(joint.type);
  // Seen from the other body, the translation of a planar or free joint turns with the body.
  const bool mixes = row.slides && model::exchanged_coordinate(joint.type, 0) < 0;
  if (mixes && system->links[to_index(link)].reversed && (armature[0] != 0 || armature[1] != 0)) {
    return unsupported(joint.where, start + ", and the tree runs from its second body to its first; exchange the two");
  }
  const std::size_t n = armature.size();
  if (row.quaternion >= 0 && (armature[n - 1] != armature[n - 2] || armature[n - 1] != armature[n - 3])) {
    return unsupported(joint.where, start + " that differs about its three axes; give the three the same value");
  }
  return {};
}

// Limits of drives, of joints that are driven.
void tell_limits(const System& system, const model::Laws& laws, Notes& notes) {
  const std::vector<model::Joint>& joints = system->model.joints;
  Gathered held, exceeded, speeds;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    // One who reads a robot file has these numbers in it, asked for or not: they are told and not refused.
    const bool loaded = laws.joints[j].effort >= 0;
    const bool moved = !laws.joints[j].motions.empty();
    if (loaded && joints[j].spec.effort_limit) held.add(joints[j].name, joints[j].where);
    if (moved && joints[j].spec.effort_limit) exceeded.add(joints[j].name, joints[j].where);
    if ((loaded || moved) && joints[j].spec.velocity_limit) speeds.add(joints[j].name, joints[j].where);
  }
  held.tell("what drives these joints is held to their effort_limit: {}", notes);
  exceeded.tell("a prescribed motion takes the effort it needs, whatever effort_limit says: {}", notes);
  speeds.tell("a velocity_limit is carried along, nothing holds it: {}", notes);
}

Result<void> check_joints(const System& system, const model::Laws& laws, Notes& notes) {
  const std::vector<std::string> needs = coordinate_needs(system->model, laws);
  for (std::size_t j = 0; j < system->model.joints.size(); ++j) {
    const model::Joint& joint = system->model.joints[j];
    const int link = system->link_of[j];
    const Result<void> armature = check_armature(system, joint, link);
    ESPALIER_TRY(armature);
    // A joint between welded bodies never moves: its law acts on nothing.
    const bool blocked = system->body_places[joint.a.index()].link == system->body_places[joint.b.index()].link;
    if (link >= 0 || blocked || needs[j].empty()) continue;
    return unsupported(
        joint.where,
        fmt::format("joint {} is cut, and {} needs its coordinate; no body can be cut in two for it, since "
                    "both have no mass: pin it, so that the tree keeps it{}",
                    in_quotes(joint.name), needs[j], way_out(system)));
  }
  tell_limits(system, laws, notes);
  return {};
}

Result<void> check_drive(const System& system, std::size_t index, const Where& where) {
  for (const DriveTerm& term : system->drives[index].terms) {
    // Welds may make one body of both: the equation would hold a constant at a constant.
    if (term.place.a != term.place.b) continue;
    return make_error(
        ErrorCode::kTopology, where,
        fmt::format("joint {} is driven but cannot move: its bodies are welded together; drive another, or "
                    "take the weld away",
                    in_quotes(system->model.joint(term.place.joint).name)));
  }
  return {};
}

// The body that a link's joint moves; of a floating base its first.
const model::Body& body_of(const System& system, std::size_t i) {
  const Link& link = system->links[i];
  if (link.joint.valid()) {
    const model::Joint& joint = system->model.joint(link.joint);
    return system->model.body(link.reversed ? joint.a : joint.b);
  }
  // A floating base has no joint that names its body.
  const auto body_place = std::find_if(system->body_places.begin(), system->body_places.end(),
                                       [&](const BodyPlace& s) { return s.link == static_cast<int>(i); });
  return system->model.bodies[to_index(body_place - system->body_places.begin())];
}

// Dummy links of robot files often are the base of a robot that is meant to stand.
const char* hold_hint(const System& system) {
  const bool floats =
      std::any_of(system->links.begin() + 1, system->links.end(), [](const Link& link) { return !link.joint.valid(); });
  return floats ? ", or hold the base that floats (of a URDF: read it with a fixed base)" : "";
}

Result<void> check_inertia(const System& system, Notes& notes) {
  constexpr double kPoor = 1e-8;
  const std::vector<double> resistance = detail::link_resistances(system);
  Gathered light;
  // Tips first: of a branch without mass the body at its end is the one to give mass to.
  for (std::size_t i = system->links.size() - 1; i > 0; --i) {
    if (resistance[i] > kPoor) continue;
    const model::Body& body = body_of(system, i);
    const model::JointId joint = system->links[i].joint;
    // Computable, but badly.
    if (resistance[i] > detail::kSingular) {
      light.add(body.name, body.where);
      continue;
    }
    const std::string by =
        joint.valid() ? fmt::format(" hangs by joint {}", in_quotes(system->model.joint(joint).name)) : " floats";
    return make_error(ErrorCode::kValue, body.where,
                      fmt::format("no mass resists a motion of body {} that{}{}: its acceleration is not defined; "
                                  "give it mass and inertia, or fix it to its neighbour{}{}",
                                  in_quotes(body.name), by, tree_text(system), hold_hint(system), way_out(system)));
  }
  light.tell("hardly any mass resists these bodies, which makes accelerations large and steps small: {}", notes);
  return {};
}

}  // namespace

// Errors in the order in which a user meets them in a file: bodies, joints, drives; inertia last, since it asks for the
// whole tree.
Result<std::vector<model::Note>> check_laws(const System& system) {
  Notes notes;
  const Result<void> bodies = check_bodies(system, notes);
  ESPALIER_TRY(bodies);
  const model::Laws laws = model::resolve_laws(system->model);
  const Result<void> joints = check_joints(system, laws, notes);
  ESPALIER_TRY(joints);
  for (std::size_t d = 0; d < system->drives.size(); ++d) {
    const Result<void> drive = check_drive(system, d, laws.equations[d].where);
    ESPALIER_TRY(drive);
  }
  const Result<void> inertia = check_inertia(system, notes);
  ESPALIER_TRY(inertia);
  return notes;
}

}  // namespace espalier::dynamics
