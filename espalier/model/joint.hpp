#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/math/pose.hpp"
#include "espalier/model/joint_type.hpp"

namespace espalier::model {

// What one coordinate measures; it decides the unit of limits, stiffness, ...
enum class CoordinateKind { kAngle, kLength };

// One row of the joint table, [Liu99] Table 1 continued to nine types.
struct JointKind {
  JointType type;
  std::string_view name;  // as in model files
  char letter;            // as in the literature: R, P, H, U, C, S, E, F (free), W (fixed, a weld)
  int freedom;            // f: coordinates it brings as a tree joint
  int constraint;         // fbar = 6 - f: equations it brings as a cut joint
  int position_size;      // numbers in its position: f, one more where a quaternion is among them
  int axes;               // directions its motion singles out: 1, z of F; 2, x of F and y of M; or 0
  std::span<const CoordinateKind> coordinates;  // f entries, velocity order
};

// All nine, in the order of JointType.
std::span<const JointKind> joint_kinds();
const JointKind& joint_kind(JointType type);
std::optional<JointType> find_joint_type(std::string_view name);

// The pose of M in F at position q (position_size numbers). pitch [m/rev] is for the screw alone.
//   revolute Rz(q) | prismatic z q | screw Rz(q), z pitch q/2pi | universal Rx(q0) Ry(q1) | cylindrical z q0, Rz(q1)
//   spherical quaternion w x y z | planar x q0, y q1, then Rz(q2) | free position q0..q2, quaternion q3..q6
math::Pose joint_pose(JointType type, double pitch, std::span<const double> q);

// The position that brings the joint nearest to the pose X_FM; exact where X_FM is one the joint can take. Angles in
// (-pi, pi]; a screw's angle is the whole-turn value nearest to its translation.
std::vector<double> joint_position(JointType type, double pitch, const math::Pose& X_FM);
// The same into position_size numbers, without allocation.
void joint_position(JointType type, double pitch, const math::Pose& X_FM, std::span<double> position);

// What X_FM lacks to be a pose the joint can take: the gap between X_FM and joint_pose(joint_position(X_FM)).
math::PoseGap joint_gap(JointType type, double pitch, const math::Pose& X_FM);

}  // namespace espalier::model
