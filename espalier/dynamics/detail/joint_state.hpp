#pragma once

#include <span>

#include "espalier/dynamics/detail/joint_place.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

// Of a joint in the tree as its link has it, of a cut one as its closure has it.
JointPlace joint_place(const System& system, model::JointId joint);

// The model's coordinates of the joint above a link, from q and v of the system.
void joint_state(const Link& link, std::span<const double> q, std::span<const double> v, std::span<double> position,
                 std::span<double> velocity);
// The same for any joint from the motion of its bodies, cut or not. Angles in (-pi, pi].
void joint_state(const System& system, model::JointId joint, const LinkArrays& links, std::span<double> position,
                 std::span<double> velocity);

}  // namespace espalier::dynamics::detail
