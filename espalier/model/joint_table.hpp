#pragma once

// The joint table: the one place that says what a joint type is. Each type is a row, and the rooms that simulate,
// weigh, write and draw joints read it; docs/extend.md lists what else a new type needs. Sizes and words alone are in
// joint.hpp.

#include <algorithm>
#include <span>

#include "espalier/model/joint.hpp"

namespace espalier::model {

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
