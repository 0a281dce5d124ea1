#pragma once

// What frames show of joints and forces, as model::Frame has it. Made on the root from the bodies that are joined.

#include <vector>

#include "espalier/comm/comm.hpp"
#include "espalier/contact/detail/domain.hpp"

namespace espalier::contact::detail {

struct ShownNumbers {
  std::vector<double> joint_position, joint_velocity, joint_acceleration;
  std::vector<double> joint_drive, joint_passive, force;
};
// Collective; after a step, or before the first one. The answer counts on the root.
ShownNumbers show_parts(const comm::Comm& comm, const Domain& domain);

}  // namespace espalier::contact::detail
