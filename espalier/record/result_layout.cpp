#include <array>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "espalier/base/index.hpp"
#include "espalier/model/joint.hpp"
#include "espalier/record/result_file.hpp"

namespace espalier::record {
namespace {

using model::JointType;

// What one number of a joint is: the end of its name and its unit. Velocities have the unit a second.
struct Part {
  const char* suffix;
  const char* unit;
};

// In the order of the numbers of a position: lengths, then a quaternion or angles. A single coordinate needs no suffix.
std::vector<Part> parts_of(JointType type, bool velocity) {
  constexpr std::array<const char*, 6> kSuffix = {".x", ".y", ".z", ".rx", ".ry", ".rz"};
  const model::JointRow& row = model::joint_row(type);
  std::vector<Part> parts;
  // The joint table has the order of the numbers: no second list has to follow it.
  for (const auto& [direction, of_m, threaded] : row.motions) {
    const bool is_turning = !is_length(direction);
    // A position ends with its quaternion, whatever rates the velocity has in its place.
    if (!velocity && is_turning && row.quaternion >= 0) break;
    const char* suffix = row.kind.freedom == 1 ? "" : kSuffix[to_index(direction)];
    parts.push_back({suffix, is_turning ? "rad" : "m"});
  }
  if (!velocity && row.quaternion >= 0) {
    for (const char* suffix : {".qw", ".qx", ".qy", ".qz"}) parts.push_back({suffix, "1"});
  }
  return parts;
}

void add_columns(const std::string& name, JointType type, bool velocity, std::vector<Column>& columns) {
  for (const Part& part : parts_of(type, velocity)) {
    columns.push_back({name + part.suffix, std::string(part.unit) + (velocity ? "/s" : "")});
  }
}

void add_joints(const model::Model& model, ResultLayout& layout) {
  // Every joint, cut or not: a reader does not ask which of them the plan kept.
  for (const model::Joint& joint : model.joints) {
    layout.joints.push_back(joint.name);
    layout.joint_types.emplace_back(model::joint_kind(joint.type).name);
    add_columns(joint.name, joint.type, false, layout.joint_position);
    add_columns(joint.name, joint.type, true, layout.joint_velocity);
    for (const Part& part : parts_of(joint.type, true)) {
      const bool turns = std::string_view(part.unit) == "rad";
      layout.joint_acceleration.push_back({joint.name + part.suffix, turns ? "rad/s^2" : "m/s^2"});
      layout.joint_effort.push_back({joint.name + part.suffix, turns ? "N m" : "N"});
    }
  }
}

// In the order of model::force_size().
std::vector<Part> parts_of(const model::Model& model, const model::Force& force) {
  constexpr std::array<const char*, 6> kSix = {".x", ".y", ".z", ".rx", ".ry", ".rz"};
  const auto of_joint = [&](model::JointId joint) {
    const bool slides = model::joint_kind(model.joint(joint).type).coordinates[0] == model::CoordinateKind::kLength;
    return std::vector<Part>{{"", slides ? "N" : "N m"}};
  };
  std::vector<Part> parts;
  if (std::holds_alternative<model::Spring>(force.law)) return {{"", "N"}};
  if (const auto* motion = std::get_if<model::Motion>(&force.law)) return of_joint(motion->joint);
  if (std::holds_alternative<model::Bushing>(force.law)) {
    for (std::size_t k = 0; k < 6; ++k) parts.push_back({kSix[k], k < 3 ? "N" : "N m"});
    return parts;
  }
  const auto& load = std::get<model::Load>(force.law);
  if (load.joint.valid()) return of_joint(load.joint);
  for (std::size_t k = 0; k < 3; ++k) parts.push_back({kSix[k], load.torque ? "N m" : "N"});
  return parts;
}

void add_forces(const model::Model& model, ResultLayout& layout) {
  for (std::size_t f = 0; f < model.forces.size(); ++f) {
    const model::Force& force = model.forces[f];
    // As paths of numbers name it.
    layout.forces.push_back(force.name.empty() ? std::to_string(f) : force.name);
    for (const Part& part : parts_of(model, force)) {
      layout.force.push_back({layout.forces.back() + part.suffix, part.unit});
    }
  }
}

// A floating base has no joint: its first body gives the name.
std::string link_name(const dynamics::System& system, std::size_t link) {
  const model::JointId joint = system.links()[link].joint;
  if (joint.valid()) return system.model().joint(joint).name;
  for (std::size_t body = 0; body < system.body_places().size(); ++body) {
    if (system.body_places()[body].link == static_cast<int>(link)) return system.model().bodies[body].name;
  }
  // A link that holds no body has nothing to be named after.
  return "";
}

}  // namespace

ResultLayout make_layout(const dynamics::System& system) {
  ResultLayout layout;
  layout.model = system.model().name;
  for (const model::Body& body : system.model().bodies) layout.bodies.push_back(body.name);
  add_joints(system.model(), layout);
  add_forces(system.model(), layout);
  // Link 0 is the ground and has no coordinates.
  for (std::size_t link = 1; link < system.links().size(); ++link) {
    const std::string name = link_name(system, link);
    add_columns(name, system.links()[link].type, false, layout.q);
    add_columns(name, system.links()[link].type, true, layout.v);
  }
  return layout;
}

ResultLayout make_scene_layout(const model::Model& model) {
  ResultLayout layout;
  layout.kind = RunKind::kScene;
  layout.model = model.name;
  for (const model::Body& body : model.bodies) layout.bodies.push_back(body.name);
  add_joints(model, layout);
  add_forces(model, layout);
  return layout;
}

}  // namespace espalier::record
