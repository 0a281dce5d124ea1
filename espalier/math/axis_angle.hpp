#pragma once

#include <Eigen/Geometry>

namespace espalier::math {

// Rotation by `angle` [rad] about `axis`, which has length one. Eigen's own (AngleAxisd) would call libm, whose last
// bit depends on the machine.
Eigen::Quaterniond rotation_about(const Eigen::Vector3d& axis, double angle);

}  // namespace espalier::math
