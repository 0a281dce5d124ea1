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

void append_span(std::span<const double> from, std::vector<double>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

std::span<const double> row_of(const std::vector<double>& values, std::size_t row, std::size_t width) {
  return std::span(values).subspan(row * width, width);
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

void Frames::append(const model::Frame& frame) {
  time.push_back(frame.time);
  append_span(frame.q, q);
  append_span(frame.v, v);
  append_span(frame.joint_position, joint_position);
  append_span(frame.joint_velocity, joint_velocity);
  append_span(frame.body_pose, body_pose);
  append_span(frame.body_velocity, body_velocity);
  append_span(frame.body_acceleration, body_acceleration);
  append_span(frame.reaction, reaction);
  kinetic.push_back(frame.kinetic);
  potential.push_back(frame.potential);
  exchanged.push_back(frame.exchanged);
  total.push_back(frame.kinetic + frame.potential);
  loop_distance.push_back(frame.loop_distance);
  loop_angle.push_back(frame.loop_angle);
}

void Frames::clear() {
  for (std::vector<double>* list :
       {&time, &q, &v, &joint_position, &joint_velocity, &body_pose, &body_velocity, &body_acceleration, &reaction,
        &kinetic, &potential, &exchanged, &total, &loop_distance, &loop_angle}) {
    list->clear();
  }
}

model::Frame frame_at(const Frames& frames, const ResultLayout& layout, std::size_t row) {
  model::Frame frame;
  frame.time = frames.time[row];
  frame.q = row_of(frames.q, row, layout.q.size());
  frame.v = row_of(frames.v, row, layout.v.size());
  frame.joint_position = row_of(frames.joint_position, row, layout.joint_position.size());
  frame.joint_velocity = row_of(frames.joint_velocity, row, layout.joint_velocity.size());
  frame.body_pose = row_of(frames.body_pose, row, 7 * layout.bodies.size());
  frame.body_velocity = row_of(frames.body_velocity, row, 6 * layout.bodies.size());
  frame.body_acceleration = row_of(frames.body_acceleration, row, 6 * layout.bodies.size());
  frame.reaction = row_of(frames.reaction, row, 6 * layout.joints.size());
  frame.kinetic = frames.kinetic[row];
  frame.potential = frames.potential[row];
  frame.exchanged = frames.exchanged[row];
  frame.loop_distance = frames.loop_distance[row];
  frame.loop_angle = frames.loop_angle[row];
  return frame;
}

}  // namespace espalier::record
