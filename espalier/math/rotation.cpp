#include "espalier/math/rotation.hpp"

#include <cmath>
#include <limits>

#include "espalier/base/numbers.hpp"

namespace espalier::math {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Matrix3d skew(const Vector3d& a) {
  Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

Quaterniond rotation_exp(const Vector3d& v) {
  const double angle = v.norm();
  // sin(angle/2)/angle = 1/2 - angle^2/48 + O(angle^4).
  const double scale = angle < 1e-4 ? 0.5 - angle * angle / 48 : elementary::sin(angle / 2) / angle;
  return {elementary::cos(angle / 2), scale * v.x(), scale * v.y(), scale * v.z()};
}

Vector3d rotation_log(const Quaterniond& q) {
  const double sine = q.vec().norm();
  // q and -q are one rotation; the half with w >= 0 gives the angle of at most half a turn.
  const double cosine = std::abs(q.w());
  const double sign = q.w() < 0 ? -1 : 1;
  // atan2(s, c)/s = 1/c - s^2/(3 c^3) + O(s^4).
  const double scale = sine < 1e-5 * cosine ? 1 / cosine - sine * sine / (3 * cosine * cosine * cosine)
                                            : elementary::atan2(sine, cosine) / sine;
  return 2 * sign * scale * q.vec();
}

Quaterniond rotation_from_rpy(const Vector3d& rpy) {
  // Fixed axes: roll first, about x, then pitch about y, then yaw about z.
  return rotation_about(Vector3d::UnitZ(), rpy.z()) * rotation_about(Vector3d::UnitY(), rpy.y()) *
         rotation_about(Vector3d::UnitX(), rpy.x());
}

Vector3d rpy_from_rotation(const Quaterniond& q) {
  const Matrix3d R = q.toRotationMatrix();
  // At the pole only roll +- yaw is determined: give it all to roll.
  const bool pole = elementary::hypot(R(0, 0), R(1, 0)) < 1e-14;
  const double yaw = pole ? 0 : elementary::atan2(R(1, 0), R(0, 0));
  // Pitch and roll of what is left after the yaw: near the pole yaw is rounding, and roll must undo just that rounding.
  const auto [s, c] = elementary::sin_cos(yaw);
  return {elementary::atan2(s * R(0, 2) - c * R(1, 2), c * R(1, 1) - s * R(0, 1)),
          elementary::atan2(-R(2, 0), c * R(0, 0) + s * R(1, 0)), yaw};
}

Quaterniond rotation_with_z(const Vector3d& axis) {
  const Vector3d z = direction(axis);
  const double across = elementary::hypot(z.x(), z.y());
  // Exactly upside down every axis across would do: x is taken.
  if (z.z() < 0 && across < 1e-150) return {0, 1, 0, 0};
  // Half-angle form of the shortest rotation. Below the equator 1 + z.z would cancel: it is across^2 / (1 - z.z).
  const double rise = z.z() < 0 ? across * across / (1 - z.z()) : 1 + z.z();
  const double norm = elementary::hypot(rise, across);
  return {rise / norm, -z.y() / norm, z.x() / norm, 0};
}

Quaterniond rotation_with_xy(const Vector3d& x, const Vector3d& y) {
  Matrix3d R;
  R.col(0) = direction(x);
  // A scaled `y` would change the last bits of ordinary frames.
  const Vector3d across = R.col(0).cross(y);
  R.col(2) = across.allFinite() ? direction(across) : direction(R.col(0).cross(direction(y)));
  // y itself may lean; what counts of it is the side of x on which it lies.
  R.col(1) = R.col(2).cross(R.col(0));
  return Quaterniond(R).normalized();
}

Quaterniond normalised(const Quaterniond& q) {
  // Within rounding of 1 the quaternion keeps its bits: what is written to a file and read comes back the same.
  constexpr double kRounding = 8 * std::numeric_limits<double>::epsilon();
  return std::abs(q.squaredNorm() - 1) <= kRounding ? q : q.normalized();
}

Quaterniond canonical(const Quaterniond& q) {
  // The first component that is not zero is made positive, so that half turns have one sign too.
  for (const double component : {q.w(), q.x(), q.y(), q.z()}) {
    if (component > 0) return q;
    if (component < 0) return Quaterniond(-q.coeffs());
  }
  return q;
}

}  // namespace espalier::math
