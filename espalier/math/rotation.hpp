#pragma once

#include <Eigen/Geometry>

namespace espalier::math {

// skew(a) b = a x b.
Eigen::Matrix3d skew(const Eigen::Vector3d& a);

// Rotation by |v| about v/|v|, accurate for small |v|. The inverse of rotation_log.
Eigen::Quaterniond rotation_exp(const Eigen::Vector3d& v);
// The rotation vector of `q`, |result| in [0, pi], accurate near 0 and near pi.
Eigen::Vector3d rotation_log(const Eigen::Quaterniond& q);

// Rotations about fixed x, then fixed y, then fixed z by (roll, pitch, yaw) [rad]: Rz(yaw) Ry(pitch) Rx(roll), as URDF
// and SDF have it.
Eigen::Quaterniond rotation_from_rpy(const Eigen::Vector3d& rpy);
// One triple that gives `q` back; at pitch = +-pi/2 yaw is 0.
Eigen::Vector3d rpy_from_rotation(const Eigen::Quaterniond& q);

// A frame whose z axis is `axis` (not zero). The identity for +z; x and y come from the shortest rotation of +z onto
// `axis` (for -z: half a turn about x), so nearby axes get nearby frames.
Eigen::Quaterniond rotation_with_z(const Eigen::Vector3d& axis);
// A frame with x along `x` and y in the plane of x and `y`. Neither zero, not parallel.
Eigen::Quaterniond rotation_with_xy(const Eigen::Vector3d& x, const Eigen::Vector3d& y);

// `q` with unit length. Left alone where it already is unit to rounding, so that reading what was written changes no
// bit.
Eigen::Quaterniond normalised(const Eigen::Quaterniond& q);
// Of q and -q, the one whose first non-zero component (w, x, y, z) is positive.
Eigen::Quaterniond canonical(const Eigen::Quaterniond& q);

}  // namespace espalier::math
