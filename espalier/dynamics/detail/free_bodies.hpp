#pragma once

#include <span>
#include <vector>

#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

// The mechanism without a tree: every group of welded bodies floats, every joint that moves is a closure, every drive
// acts on cut joints. Frame B of a group stands in the middle of its joints' origins, so that its six coordinates say
// how far the group is from where it was drawn. For kinematics alone: no inertia, no force laws. The welds of `model`
// must be closed (model::close_welds).
System make_free_system(const model::Model& model);

// A cut joint that must not move is a weld in the pose it has in `pose`, by link.
System with_pins(const System& system, std::span<const math::Pose> pose, const std::vector<model::JointId>& pins);

}  // namespace espalier::dynamics::detail
