#include "espalier/math/rotation.hpp"

#include "espalier/base/numbers.hpp"

namespace espalier::math {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d rotation_vector_rate(const Vector3d& v) {
  // Valid up to a full turn, where the cotangent has its pole.
  const double angle = v.norm();
  // (1 - angle/2 cot(angle/2)) / angle^2 = 1/12 + angle^2/720 + O(angle^4).
  const double c = angle < 1e-3
                       ? 1.0 / 12 + angle * angle / 720
                       : (1 - angle / 2 * elementary::cos(angle / 2) / elementary::sin(angle / 2)) / (angle * angle);
  const Matrix3d K = skew(v);
  return Matrix3d::Identity() - 0.5 * K + c * K * K;
}

}  // namespace espalier::math
