#pragma once

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

}  // namespace espalier::math
