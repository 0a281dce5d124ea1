#pragma once

// Where a prim stands: xformOps put together. A scale stays apart from the rotation, as bodies here have none.

#include <optional>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace espalier::formats::detail {

// x -> position + rotation (stretch x). Kept apart so that a file without scales keeps every bit of its rotations.
struct UsdTransform {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();            // [units of the file]
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  // [-]
  Eigen::Matrix3d stretch = Eigen::Matrix3d::Identity();         // [-]

  UsdTransform operator*(const UsdTransform& other) const;
};

// A matrix and a translation as a transform.
UsdTransform usd_transform(const Eigen::Matrix3d& linear, const Eigen::Vector3d& position);
// Nothing where the matrix has no inverse.
std::optional<UsdTransform> inverse(const UsdTransform& transform);

// A stretch as a rotation and lengths along three axes: stretch = turn diag(scale). Nothing where it shears, because
// the three axes then do not stay at right angles. A mirror image has a negative scale.
struct UsdScale {
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();
};
std::optional<UsdScale> usd_scale(const Eigen::Matrix3d& stretch);

}  // namespace espalier::formats::detail
