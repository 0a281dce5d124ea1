#include "espalier/math/rotation.hpp"

#include <cmath>
#include <limits>

namespace espalier::math {

Eigen::Vector3d direction(const Eigen::Vector3d& v) {
  const double square = v.squaredNorm();
  // Ordinary vectors are divided by their length, to the same bits as ever.
  if (square <= std::numeric_limits<double>::max() && square >= std::numeric_limits<double>::min()) {
    return v / std::sqrt(square);
  }
  // Very long or very short vectors are scaled by their largest component first: its square is then 1.
  const double largest = v.cwiseAbs().maxCoeff();
  // Zero has no direction and comes back as it is.
  if (!(largest > 0)) return v;
  return (v / largest).normalized();
}

}  // namespace espalier::math
