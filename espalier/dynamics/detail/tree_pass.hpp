#pragma once

#include <span>

#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

// Pose, motion columns, velocity and velocity-dependent acceleration (qdd = 0, without gravity) of one link, from those
// of its parent.
void pass_to_link(const System& system, int index, std::span<const double> q, std::span<const double> v,
                  LinkArrays& links, MotionSubspace& motion);

}  // namespace espalier::dynamics::detail
