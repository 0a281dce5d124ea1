#pragma once

#include <span>
#include <vector>

#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

// X_WL of the links at q. O(links).
std::vector<math::Pose> link_poses(const System& system, std::span<const double> q);
// The coordinates that bring the tree nearest to these poses X_WB. Angles in (-pi, pi].
std::vector<double> positions_at(const System& system, std::span<const math::Pose> body);
// The pose of the joint's frame M in its frame F at these poses X_WB.
math::Pose joint_pose(const model::Joint& joint, std::span<const math::Pose> body);

}  // namespace espalier::dynamics::detail
