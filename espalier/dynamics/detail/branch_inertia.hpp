#pragma once

// The inertia that the motions of a joint meet: what decides whether accelerations are defined on a tree.

#include <span>
#include <vector>

#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

using Inertia6 = Eigen::Matrix<double, 6, 6>;

// The smallest part of the inertia S^T whole S + armature that S^T free S + armature leaves to a motion of the joint
// [-]; 0 where a motion meets none, or no more than rounding. `free` is what is left of `whole` while further joints
// follow.
double least_resistance(const Columns& motion, const Inertia6& whole, const Inertia6& free,
                        std::span<const double> armature);

// Below this a motion meets no inertia [-].
inline constexpr double kSingular = 1e-13;

// The motions of all links' joints at the drawn pose, in world axes about the world's origin.
std::vector<MotionSubspace> drawn_motions(const System& system);

// The least resistance by link of a system, at the drawn pose; 1 for the world.
std::vector<double> link_resistances(const System& system);

}  // namespace espalier::dynamics::detail
