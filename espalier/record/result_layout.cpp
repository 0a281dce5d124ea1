#include <array>
#include <span>

#include "espalier/record/result_file.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::record {
namespace {

using model::JointType;

// What one number of a joint is: the end of its name and its unit. Velocities have the unit a second.
struct Part {
  const char* suffix;
  const char* unit;
};

constexpr std::array<Part, 1> kAngle = {{{"", "rad"}}};
constexpr std::array<Part, 1> kLength = {{{"", "m"}}};
constexpr std::array<Part, 2> kUniversal = {{{".rx", "rad"}, {".ry", "rad"}}};
constexpr std::array<Part, 2> kCylindrical = {{{".z", "m"}, {".rz", "rad"}}};
constexpr std::array<Part, 3> kPlanar = {{{".x", "m"}, {".y", "m"}, {".rz", "rad"}}};
// A position, its quaternion, and the velocity that goes with them.
constexpr std::array<Part, 7> kPose = {
    {{".x", "m"}, {".y", "m"}, {".z", "m"}, {".qw", "1"}, {".qx", "1"}, {".qy", "1"}, {".qz", "1"}}};
constexpr std::array<Part, 6> kTwist = {
    {{".x", "m"}, {".y", "m"}, {".z", "m"}, {".rx", "rad"}, {".ry", "rad"}, {".rz", "rad"}}};

std::span<const Part> parts_of(JointType type, bool velocity) {
  switch (type) {
    case JointType::kRevolute:
    case JointType::kScrew:
      return kAngle;
    case JointType::kPrismatic:
      return kLength;
    case JointType::kUniversal:
      return kUniversal;
    case JointType::kCylindrical:
      return kCylindrical;
    case JointType::kPlanar:
      return kPlanar;
    case JointType::kSpherical:
      return velocity ? std::span<const Part>(kTwist).subspan(3) : std::span<const Part>(kPose).subspan(3);
    case JointType::kFree:
      return velocity ? std::span<const Part>(kTwist) : std::span<const Part>(kPose);
    case JointType::kFixed:
      return {};
  }
  return {};
}

void add_columns(const std::string& name, JointType type, bool velocity, std::vector<Column>& columns) {
  for (const Part& part : parts_of(type, velocity)) {
    columns.push_back({name + part.suffix, std::string(part.unit) + (velocity ? "/s" : "")});
  }
}

// A floating base has no joint: its first body gives the name.
std::string link_name(const dynamics::System& system, std::size_t link) {
  const model::JointId joint = system.links[link].joint;
  if (joint.valid()) return system.model.joint(joint).name;
  for (std::size_t body = 0; body < system.seats.size(); ++body) {
    if (system.seats[body].link == static_cast<int>(link)) return system.model.bodies[body].name;
  }
  return "";
}

}  // namespace

ResultLayout make_layout(const dynamics::System& system) {
  ResultLayout layout;
  layout.model = system.model.name;
  for (const model::Body& body : system.model.bodies) layout.bodies.push_back(body.name);
  for (const model::Joint& joint : system.model.joints) {
    layout.joints.push_back(joint.name);
    layout.joint_types.emplace_back(model::joint_kind(joint.type).name);
    add_columns(joint.name, joint.type, false, layout.joint_position);
    add_columns(joint.name, joint.type, true, layout.joint_velocity);
  }
  for (std::size_t link = 1; link < system.links.size(); ++link) {
    const std::string name = link_name(system, link);
    add_columns(name, system.links[link].type, false, layout.q);
    add_columns(name, system.links[link].type, true, layout.v);
  }
  return layout;
}

ResultLayout make_scene_layout(const model::Model& model) {
  ResultLayout layout;
  layout.kind = RunKind::kScene;
  layout.model = model.name;
  for (const model::Body& body : model.bodies) layout.bodies.push_back(body.name);
  return layout;
}

}  // namespace espalier::record
