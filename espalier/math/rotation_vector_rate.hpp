#pragma once

#include <Eigen/Core>

namespace espalier::math {

// J(v) with dv/dt = J(v) w, where v is the rotation vector of B in A and w the angular velocity of B in A, in the axes
// of A. Its transpose is J(-v): it turns the slope of an energy of v into a couple. J(v) v = v.
Eigen::Matrix3d rotation_vector_rate(const Eigen::Vector3d& v);

}  // namespace espalier::math
