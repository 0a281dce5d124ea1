#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace espalier::math {

// Where a frame B stands in a frame A, written X_AB: p_AB = X_AB * p_B. The rotation is a unit quaternion.
// Cost of a product: one quaternion product and one rotation.
struct Pose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();            // origin of B in A [m]
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  // axes of B in A [-]

  Pose operator*(const Pose& other) const;
  Eigen::Vector3d operator*(const Eigen::Vector3d& point) const { return position + rotation * point; }
  Pose inverse() const;
};

// The pose of B in A from both poses in W: X_AB = X_WA^-1 X_WB.
Pose relative_pose(const Pose& X_WA, const Pose& X_WB);

// Distance of the origins [m] and angle between the axes [rad] of two poses.
struct PoseGap {
  double distance = 0;
  double angle = 0;
};
PoseGap gap_between(const Pose& a, const Pose& b);

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
