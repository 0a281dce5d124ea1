#pragma once

// Between coordinates of a tree and poses of the model's bodies, which are the same for every tree.

#include <span>
#include <vector>

#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics {

// How far a joint is from closed, or how far it moved; the joint is invalid for the weld of a cut body. Of a drive,
// what its coordinate lacks: that of its first joint.
struct JointGap {
  model::JointId joint;
  double distance = 0;  // [m]
  double angle = 0;     // [rad]
  int drive = -1;       // of the system
};
// Largest first, an angle of 1 rad counting as much as the distance `typical` [m]; ties keep their order.
void sort_gaps(std::vector<JointGap>& gaps, double typical);

// X_WL of the links at q. O(links).
std::vector<math::Pose> link_poses(const System& system, std::span<const double> q);
// X_WB of the model's bodies at q.
std::vector<math::Pose> body_poses(const System& system, std::span<const double> q);
// The coordinates that bring the tree nearest to these poses X_WB. Angles in (-pi, pi].
std::vector<double> positions_at(const System& system, std::span<const math::Pose> body);

// The pose of the joint's frame M in its frame F at these poses of the bodies.
math::Pose joint_pose(const model::Joint& joint, std::span<const math::Pose> body);
// How far each joint of the model is from closed at these poses X_WB, worst first; without fixed joints, which hold
// their bodies as drawn.
std::vector<JointGap> joint_gaps(const model::Model& model, std::span<const math::Pose> body);

// Poses X_WB of all bodies as drawn, and in a keyframe. Joints that the keyframe names stand as it says, as far as they
// form no loop among themselves; the others as drawn.
std::vector<math::Pose> drawn_poses(const model::Model& model);
std::vector<math::Pose> keyframe_poses(const model::Model& model, const model::Keyframe& keyframe);

}  // namespace espalier::dynamics
