#pragma once

// Hand-made frames for tests of what a run writes.

#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/numbers.hpp"
#include "espalier/record/detail/quantity.hpp"
#include "espalier/record/result_file.hpp"
#include "espalier/record/run_folder.hpp"

namespace espalier::record {

inline std::vector<Column> columns(const std::string& name, int count) {
  std::vector<Column> result;
  for (int k = 0; k < count; ++k) result.push_back({name + std::to_string(k), "rad"});
  return result;
}

// States with numbers that are easily lost.
inline dynamics::RunState mechanism_state() {
  dynamics::RunState run;
  run.state = {0.1 + 0.2, {-0.0, 1.0 / 3.0, 5e-324}, {NAN, INFINITY}};
  run.integrator = dynamics::Integrator::kImplicit;
  run.step = 1e-300;
  run.exchanged = -1e22;
  run.outputs = 31;
  run.memory = {1, 2, 3, 4};
  return run;
}

inline contact::RunState scene_state() {
  contact::RunState run;
  run.time = 0.1 + 0.2;
  run.steps = 12;
  run.outputs = 3;
  run.bodies.resize(2);
  run.bodies[1].q[11] = 1.0 / 3;
  run.bodies[1].u[0] = -0.0;
  run.reactions.push_back({{1, -1, contact::kJoint + 4, 0xfedcba98u}, {1e-300, -2, 3}});
  return run;
}

// Three bodies, two joints, a name with everything in it.
inline ResultLayout small_layout() {
  ResultLayout layout;
  layout.model = "Kurbel \"1\", Größe";
  layout.bodies = {"ground", "crank", "rod, long"};
  layout.joints = {"A", "B \"two\"\nlines"};
  layout.joint_types = {"revolute", "spherical"};
  layout.q = columns("q", 5);
  layout.v = columns("v", 4);
  layout.joint_position = {{"A", "rad"}, {"B \"two\"\nlines.qw", "1"}};
  layout.joint_velocity = columns("w", 4);
  layout.forces = {"spring", "push"};
  layout.joint_acceleration = columns("a", 4);
  layout.joint_effort = columns("e", 4);
  layout.force = {{"spring", "N"}, {"push.x", "N m"}, {"push.y", "N m"}, {"push.z", "N m"}};
  return layout;
}

// Rows of random bits that are numbers, among them the hard ones.
inline Rows random_rows(const ResultLayout& layout, std::size_t frames, std::uint32_t key = 0) {
  Random random(7, key);
  Rows rows;
  for (const detail::Quantity& quantity : detail::quantities(layout)) {
    std::vector<double>& values = rows[quantity.path + 1];
    values.resize(frames * quantity.row_size());
    for (double& value : values) value = random.normal() * std::pow(10.0, random.below(600) - 300);
    if (!values.empty()) values[0] = -0.0;
    if (values.size() > 1) values[1] = 5e-324;
  }
  std::iota(rows["time"].begin(), rows["time"].end(), 0.0);
  for (std::size_t k = 0; k < frames; ++k) {
    rows["energy/total"][k] = rows["energy/kinetic"][k] + rows["energy/potential"][k];
  }
  return rows;
}

// The frame of a mechanism in row `row`; its spans point into `rows`.
inline model::Frame frame_at(const Rows& rows, const ResultLayout& layout, std::size_t row) {
  const auto part = [&](const char* path, std::size_t width) {
    return width > 0 ? std::span(rows.at(path)).subspan(row * width, width) : std::span<const double>();
  };
  model::Frame frame;
  frame.time = rows.at("time")[row];
  frame.q = part("q", layout.q.size());
  frame.v = part("v", layout.v.size());
  frame.joint_position = part("joint_position", layout.joint_position.size());
  frame.joint_velocity = part("joint_velocity", layout.joint_velocity.size());
  frame.joint_acceleration = part("joint_acceleration", layout.joint_acceleration.size());
  frame.joint_drive = part("joint_drive", layout.joint_effort.size());
  frame.joint_passive = part("joint_passive", layout.joint_effort.size());
  frame.force = part("force", layout.force.size());
  frame.body_pose = part("body_pose", 7 * layout.bodies.size());
  frame.body_velocity = part("body_velocity", 6 * layout.bodies.size());
  frame.body_acceleration = part("body_acceleration", 6 * layout.bodies.size());
  frame.reaction = part("reaction", 6 * layout.joints.size());
  frame.kinetic = rows.at("energy/kinetic")[row];
  frame.potential = rows.at("energy/potential")[row];
  frame.exchanged = rows.at("energy/exchanged")[row];
  frame.loop_distance = rows.at("loop/distance")[row];
  frame.loop_angle = rows.at("loop/angle")[row];
  return frame;
}

// Frame k of a scene with the ground and a ball: k contacts and one or two ranks.
struct SceneFrame {
  explicit SceneFrame(int k) : owner{0, k % 2} {
    for (int n = 0; n < 14; ++n) body_pose.push_back(k + 0.01 * n);
    for (int n = 0; n < 12; ++n) body_velocity.push_back(-k - 0.01 * n);
    for (int n = 0; n < 12; ++n) body_acceleration.push_back(k + 0.5 * n);
    for (int c = 0; c < k; ++c) {
      contacts.push_back({1, 0, {1.0 * k, 2.0 * c, 3}, {0, 0, 1}, {0.5, -0.5, 9.81 * c}, -1e-4 * c});
    }
    for (int r = 0; r <= k % 2; ++r) ranks.push_back({0.25, 0.125 * r, 1, k});
    frame.time = 0.1 * k;
    frame.steps = k;
    frame.body_pose = body_pose;
    frame.body_velocity = body_velocity;
    frame.body_acceleration = body_acceleration;
    frame.owner = owner;
    frame.contacts = contacts;
    frame.ranks = ranks;
    frame.kinetic = 2;
    frame.potential = 3;
    frame.strain = 0.5;
  }

  std::vector<double> body_pose, body_velocity, body_acceleration;
  std::vector<std::int32_t> owner;
  std::vector<model::ContactPoint> contacts;
  std::vector<model::RankLoad> ranks;
  model::Frame frame;
};

inline ResultLayout ball_layout() {
  ResultLayout layout;
  layout.kind = RunKind::kScene;
  layout.model = "scene";
  layout.bodies = {"ground", "ball"};
  return layout;
}

}  // namespace espalier::record
