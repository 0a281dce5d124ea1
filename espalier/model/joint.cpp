#include "espalier/model/joint.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/base/result.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::model {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

// By the library's own sine and cosine: Eigen's AngleAxis would call libm, whose last bit depends on the machine.
Quaterniond turn_x(double angle) {
  const auto [s, c] = elementary::sin_cos(angle / 2);
  return {c, s, 0, 0};
}
Quaterniond turn_y(double angle) {
  const auto [s, c] = elementary::sin_cos(angle / 2);
  return {c, 0, s, 0};
}
Quaterniond turn_z(double angle) {
  const auto [s, c] = elementary::sin_cos(angle / 2);
  return {c, 0, 0, s};
}

// The angle of the rotation about z nearest to q ("twist" of a swing-twist split), in (-pi, pi].
double angle_about_z(const Quaterniond& q) {
  // (G1) Twice an atan2 covers two turns; what lies outside one is brought back.
  const double angle = 2 * elementary::atan2(q.z(), q.w());
  if (angle > std::numbers::pi) return angle - 2 * std::numbers::pi;
  if (angle <= -std::numbers::pi) return angle + 2 * std::numbers::pi;
  return angle;
}

// Rx(q0) Ry(q1) nearest to q: exact if the two axes stand at right angles in q.
std::array<double, 2> universal_angles(const Quaterniond& q) {
  const Eigen::Matrix3d R = q.toRotationMatrix();
  // R = Rx(q0) Ry(q1) has first row (cos q1, 0, sin q1) and second column (0, cos q0, sin q0).
  return {elementary::atan2(R(2, 1), R(1, 1)), elementary::atan2(R(0, 2), R(0, 0))};
}

}  // namespace

math::Pose joint_pose(JointType type, double pitch, std::span<const double> q) {
  ESPALIER_CHECK(static_cast<int>(q.size()) == joint_kind(type).position_size, "a joint position has a wrong size");
  switch (type) {
    case JointType::kRevolute:
      return {Vector3d::Zero(), turn_z(q[0])};
    case JointType::kPrismatic:
      return {Vector3d(0, 0, q[0]), Quaterniond::Identity()};
    case JointType::kScrew:
      return {Vector3d(0, 0, pitch * q[0] / (2 * std::numbers::pi)), turn_z(q[0])};
    case JointType::kUniversal:
      return {Vector3d::Zero(), turn_x(q[0]) * turn_y(q[1])};
    case JointType::kCylindrical:
      return {Vector3d(0, 0, q[0]), turn_z(q[1])};
    case JointType::kSpherical:
      return {Vector3d::Zero(), Quaterniond(q[0], q[1], q[2], q[3])};
    case JointType::kPlanar:
      return {Vector3d(q[0], q[1], 0), turn_z(q[2])};
    case JointType::kFree:
      return {Vector3d(q[0], q[1], q[2]), Quaterniond(q[3], q[4], q[5], q[6])};
    case JointType::kFixed:
      return {};
  }
  return {};
}

void joint_position(JointType type, double pitch, const math::Pose& X_FM, std::span<double> position) {
  ESPALIER_CHECK(static_cast<int>(position.size()) == joint_kind(type).position_size,
                 "a joint position has a wrong size");
  const Vector3d& p = X_FM.position;
  // q and -q are one rotation; one fixed choice of the two gives equal poses equal positions.
  const Quaterniond q = math::canonical(X_FM.rotation);
  const auto put = [position](std::initializer_list<double> values) {
    std::copy(values.begin(), values.end(), position.begin());
  };
  switch (type) {
    case JointType::kRevolute:
      return put({angle_about_z(q)});
    case JointType::kPrismatic:
      // Of what the joint cannot do nothing is read: joint_gap() tells it.
      return put({p.z()});
    case JointType::kScrew: {
      // The advance along z tells whole turns apart, which the rotation cannot.
      const double angle = angle_about_z(q);
      const double turns = pitch == 0 ? 0 : std::round(p.z() / pitch - angle / (2 * std::numbers::pi));
      return put({angle + 2 * std::numbers::pi * turns});
    }
    case JointType::kUniversal: {
      // Two axes reach only some rotations; of another one each angle is read where its axis shows.
      const std::array<double, 2> angles = universal_angles(q);
      return put({angles[0], angles[1]});
    }
    case JointType::kCylindrical:
      return put({p.z(), angle_about_z(q)});
    case JointType::kSpherical:
      return put({q.w(), q.x(), q.y(), q.z()});
    case JointType::kPlanar:
      return put({p.x(), p.y(), angle_about_z(q)});
    case JointType::kFree:
      return put({p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()});
    case JointType::kFixed:
      return;
  }
}

std::vector<double> joint_position(JointType type, double pitch, const math::Pose& X_FM) {
  std::vector<double> position(to_index(joint_kind(type).position_size));
  joint_position(type, pitch, X_FM, position);
  return position;
}

math::PoseGap joint_gap(JointType type, double pitch, const math::Pose& X_FM) {
  // Nearest motion that the joint allows, compared with the one there is: what is left is the gap.
  return math::gap_between(X_FM, joint_pose(type, pitch, joint_position(type, pitch, X_FM)));
}

}  // namespace espalier::model
