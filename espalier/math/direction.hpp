#pragma once

#include <Eigen/Core>

namespace espalier::math {

// The unit vector along `v`, also where the square of its length would overflow or vanish. Zero stays zero.
Eigen::Vector3d direction(const Eigen::Vector3d& v);

}  // namespace espalier::math
