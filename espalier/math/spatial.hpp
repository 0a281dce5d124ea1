#pragma once

#include <Eigen/Core>

#include "espalier/math/pose.hpp"

namespace espalier::math {

// Spatial motion (w, v at the origin of the frame) or force (moment about the origin, f), order [angular; linear].
using SpatialVector = Eigen::Matrix<double, 6, 1>;
using SpatialMatrix = Eigen::Matrix<double, 6, 6>;

// v x m: the rate of a motion vector m that is carried along by v.
SpatialVector cross_motion(const SpatialVector& v, const SpatialVector& m);
// v x* f: the rate of a force vector f that is carried along by v.
SpatialVector cross_force(const SpatialVector& v, const SpatialVector& f);

// The same motion or force, given in frame B, seen from frame A.
SpatialVector transform_motion(const Pose& X_AB, const SpatialVector& motion_B);
SpatialVector transform_force(const Pose& X_AB, const SpatialVector& force_B);

}  // namespace espalier::math
