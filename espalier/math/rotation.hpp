#pragma once

#include <numbers>

#include <Eigen/Core>
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

// One turn [rad].
inline constexpr double kTurn = 2 * std::numbers::pi;

// `angle` changed by whole turns until it is as near to `near` as it can be [rad].
double nearest_turn(double angle, double near);
// `angle` changed by the fewest whole turns that bring it to within half a turn of the range from `low` to `high`; left
// alone where it is in the range [rad].
double nearest_turn(double angle, double low, double high);

// Rotation by `angle` [rad] about `axis`, which has length one. Eigen's own (AngleAxisd) would call libm, whose last
// bit depends on the machine.
Eigen::Quaterniond rotation_about(const Eigen::Vector3d& axis, double angle);

// The unit vector along `v`, also where the square of its length would overflow or vanish. Zero stays zero.
Eigen::Vector3d direction(const Eigen::Vector3d& v);

// J(v) with dv/dt = J(v) w, where v is the rotation vector of B in A and w the angular velocity of B in A, in the axes
// of A. Its transpose is J(-v): it turns the slope of an energy of v into a couple. J(v) v = v.
Eigen::Matrix3d rotation_vector_rate(const Eigen::Vector3d& v);

}  // namespace espalier::math
