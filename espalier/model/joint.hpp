#pragma once

#include <algorithm>
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

// The joint table: the one place that says what a joint type is. Each type is a row, and the rooms that simulate,
// weigh, write and draw joints read it; docs/extend.md lists what else a new type needs. Sizes and words alone are in
// joint.hpp.

// A direction of relative motion: along or about an axis of frame F, for the first six.
enum class Direction {
  kX,
  kY,
  kZ,
  kAboutX,
  kAboutY,
  kAboutZ,
  kAboutNormal,  // of the two axes of a universal joint
  kThread,       // of a screw: sliding without turning
};
// In metres; else in radians.
constexpr bool is_length(Direction direction) { return direction <= Direction::kZ || direction == Direction::kThread; }
// The axis that one of the first six directions is along or about: 0, 1 or 2.
constexpr int axis_of(Direction direction) { return static_cast<int>(direction) % 3; }

// How one coordinate moves M: along or about an axis that goes with F, or that goes with M where `of_m` says so, and
// through the origin of that frame. A thread slides along the axis too, by the pitch in a turn.
struct CoordinateMotion {
  Direction direction = Direction::kAboutZ;  // one of the first six
  bool of_m = false;
  bool threaded = false;
};

struct JointRow {
  JointKind kind;
  int quaternion;                             // where its quaternion w x y z begins in its position; -1: it has none
  std::span<const CoordinateMotion> motions;  // f entries, velocity order: the columns of S
  std::span<const Direction> rows;            // fbar entries: what it holds, the equations of a cut joint
  bool slides;                                // the origin of M may go away from that of F
  bool threaded;                              // turning slides, by the pitch
};
const JointRow& joint_row(JointType type);

// True if the joint holds M along or about this direction.
inline bool holds(const JointRow& row, Direction direction) {
  return std::find(row.rows.begin(), row.rows.end(), direction) != row.rows.end();
}
// True if the pose of M in F tells coordinate k only up to whole turns: a screw's translation tells its turns, and a
// quaternion has none.
bool loses_turns(JointType type, int k);

// The rate of the position_size numbers q when the f velocities are v.
void position_rate(JointType type, std::span<const double> q, std::span<const double> v, std::span<double> rate);

// A joint seen from its other body is of the same type: F and M change places, and both are turned by this rotation.
// Its coordinate then even keeps its value.
Eigen::Quaterniond exchange_turn(JointType type);
// Position and velocity seen from the other body, in place. It is its own inverse.
void exchange_coordinates(JointType type, std::span<double> position, std::span<double> velocity);
// Which coordinate, seen from the other body, has the value that coordinate k has here; -1 where none has: a planar
// joint mixes them, and a quaternion is inverted.
int exchanged_coordinate(JointType type, int k);

}  // namespace espalier::model
