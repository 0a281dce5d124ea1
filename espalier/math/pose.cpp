#include "espalier/math/pose.hpp"

#include "espalier/math/rotation.hpp"

namespace espalier::math {

Pose Pose::operator*(const Pose& other) const {
  // The product is not normalised: long chains do that themselves, where they know it matters.
  return {position + rotation * other.position, rotation * other.rotation};
}

Pose Pose::inverse() const {
  const Eigen::Quaterniond back = rotation.conjugate();
  return {back * -position, back};
}

Pose relative_pose(const Pose& X_WA, const Pose& X_WB) { return X_WA.inverse() * X_WB; }

PoseGap gap_between(const Pose& a, const Pose& b) {
  // The rotation vector's length is the angle, which stays exact where an arc cosine would lose half its digits.
  return {(a.position - b.position).norm(), rotation_log(a.rotation.conjugate() * b.rotation).norm()};
}

}  // namespace espalier::math
