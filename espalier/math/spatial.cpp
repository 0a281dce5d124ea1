#include "espalier/math/pose.hpp"

namespace espalier::math {

using Eigen::Vector3d;

// Angular part first in all spatial vectors.
SpatialVector cross_motion(const SpatialVector& v, const SpatialVector& m) {
  const Vector3d w = v.head<3>();
  SpatialVector result;
  result << w.cross(Vector3d(m.head<3>())),
      w.cross(Vector3d(m.tail<3>())) + Vector3d(v.tail<3>()).cross(Vector3d(m.head<3>()));
  return result;
}

// The dual of cross_motion: power v . f stays the same in a moving frame.
SpatialVector cross_force(const SpatialVector& v, const SpatialVector& f) {
  const Vector3d w = v.head<3>();
  SpatialVector result;
  result << w.cross(Vector3d(f.head<3>())) + Vector3d(v.tail<3>()).cross(Vector3d(f.tail<3>())),
      w.cross(Vector3d(f.tail<3>()));
  return result;
}

SpatialVector transform_motion(const Pose& X_AB, const SpatialVector& motion_B) {
  // A velocity at another point: w stays, v gains p x w.
  const Vector3d angular = X_AB.rotation * Vector3d(motion_B.head<3>());
  SpatialVector result;
  result << angular, X_AB.rotation * Vector3d(motion_B.tail<3>()) + X_AB.position.cross(angular);
  return result;
}

SpatialVector transform_force(const Pose& X_AB, const SpatialVector& force_B) {
  // A force moved to another point: f stays, the couple gains p x f.
  const Vector3d force = X_AB.rotation * Vector3d(force_B.tail<3>());
  SpatialVector result;
  result << X_AB.rotation * Vector3d(force_B.head<3>()) + X_AB.position.cross(force), force;
  return result;
}

}  // namespace espalier::math
