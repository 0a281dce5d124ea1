#pragma once

#include <Eigen/Geometry>

#include "espalier/model/joint_type.hpp"

namespace espalier::dynamics {

// How the frames of a joint are turned when they are exchanged, so that the joint is of the same type again: its
// coordinate then even keeps its value. Universal joints exchange their two axes.
Eigen::Quaterniond exchange_turn(model::JointType type);

}  // namespace espalier::dynamics
