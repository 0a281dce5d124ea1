#pragma once

// Hand-made frames for tests of what a run writes.

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "espalier/base/random.hpp"
#include "espalier/record/result_file.hpp"

namespace espalier::record {

inline std::vector<Column> columns(const std::string& name, int count) {
  std::vector<Column> result;
  for (int k = 0; k < count; ++k) result.push_back({name + std::to_string(k), "rad"});
  return result;
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
  return layout;
}

// Rows of random bits that are numbers, among them the hard ones.
inline Frames random_frames(const ResultLayout& layout, std::size_t rows, std::uint32_t key = 0) {
  Random random(7, key);
  const auto numbers = [&](std::size_t width) {
    std::vector<double> values(rows * width);
    for (double& value : values) value = random.normal() * std::pow(10.0, random.below(600) - 300);
    if (!values.empty()) values[0] = -0.0;
    if (values.size() > 1) values[1] = 5e-324;
    return values;
  };
  Frames frames;
  frames.time.resize(rows);
  std::iota(frames.time.begin(), frames.time.end(), 0.0);
  frames.q = numbers(layout.q.size());
  frames.v = numbers(layout.v.size());
  frames.joint_position = numbers(layout.joint_position.size());
  frames.joint_velocity = numbers(layout.joint_velocity.size());
  frames.body_pose = numbers(7 * layout.bodies.size());
  frames.body_velocity = numbers(6 * layout.bodies.size());
  frames.body_acceleration = numbers(6 * layout.bodies.size());
  frames.reaction = numbers(6 * layout.joints.size());
  frames.kinetic = numbers(1);
  frames.potential = numbers(1);
  frames.exchanged = numbers(1);
  for (std::size_t k = 0; k < rows; ++k) frames.total.push_back(frames.kinetic[k] + frames.potential[k]);
  frames.loop_distance = numbers(1);
  frames.loop_angle = numbers(1);
  return frames;
}

}  // namespace espalier::record
