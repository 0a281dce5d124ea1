#include "espalier/formats/detail/urdf_zero.hpp"

#include <array>

#include "espalier/math/rotation.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::formats::detail {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using model::JointType;

ZeroShift zero_shift(JointType type, double pitch, std::span<const double> zero) {
  const Vector3d origin = Vector3d::Zero();
  switch (type) {
    case JointType::kSpherical:
    case JointType::kFree:
    case JointType::kFixed:
      return {};
    // Rx(q0) Ry(q1): the first turn is taken off in a, the second in b. Shifting in a alone would tilt the axes.
    case JointType::kUniversal:
      return {{origin, math::rotation_about(Vector3d::UnitX(), zero[0])},
              {origin, math::rotation_about(Vector3d::UnitY(), -zero[1])}};
    // The same for the planar joint: its two directions must not turn.
    case JointType::kPlanar:
      return {{Vector3d(zero[0], zero[1], 0), Quaterniond::Identity()},
              {origin, math::rotation_about(Vector3d::UnitZ(), -zero[2])}};
    case JointType::kRevolute:
    case JointType::kPrismatic:
    case JointType::kScrew:
    case JointType::kCylindrical:
      return {model::joint_pose(type, pitch, zero), {}};
  }
  return {};
}

math::Pose reversal(JointType type) {
  // Half a turn about x for the planar joint, too: the normal runs the other way, which undoes the change of sign.
  const bool planar = type == JointType::kPlanar;
  return {Vector3d::Zero(), planar ? Quaterniond(0, 1, 0, 0) : model::exchange_turn(type)};
}

std::vector<double> shifted_polynomial(std::vector<double> polynomial, double by) {
  // Horner's scheme, repeated.
  for (std::size_t k = 0; k + 1 < polynomial.size(); ++k) {
    for (std::size_t i = polynomial.size() - 1; i-- > k;) polynomial[i] += by * polynomial[i + 1];
  }
  return polynomial;
}

}  // namespace espalier::formats::detail
