#include "espalier/math/rotation.hpp"

#include "espalier/base/numbers.hpp"

namespace espalier::math {

Eigen::Quaterniond rotation_about(const Eigen::Vector3d& axis, double angle) {
  const elementary::SinCos half = elementary::sin_cos(angle / 2);
  return {half.cos, half.sin * axis.x(), half.sin * axis.y(), half.sin * axis.z()};
}

}  // namespace espalier::math
