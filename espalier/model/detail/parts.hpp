#pragma once

// Parts that generated mechanisms are made of.

#include <string>

#include "espalier/base/result.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::model::detail {

// Square bars of one material.
struct BarStock {
  std::string material;
  double width = 0;  // [m]
};

// A bar between two points of the world, as a shape of a body that stands at X_WB. Its x axis runs along the bar, its y
// axis along `normal`, which is not parallel to the bar. The body says the material.
ShapeSpec bar_shape(const Eigen::Vector3d& from, const Eigen::Vector3d& to, const Eigen::Vector3d& normal,
                    const BarStock& stock, const math::Pose& X_WB = {});

// A body that is one bar. Its frame stands in the middle of the bar, axes as those of bar_shape.
BodySpec bar(std::string name, const Eigen::Vector3d& from, const Eigen::Vector3d& to, const Eigen::Vector3d& normal,
             const BarStock& stock);

// A joint placed in the world. `rotation`: axes of its frames.
JointSpec joint_at(std::string name, JointType type, std::string a, std::string b, const Eigen::Vector3d& position,
                   const Eigen::Quaterniond& rotation);

// A revolute joint about `axis`.
JointSpec pin_at(std::string name, std::string a, std::string b, const Eigen::Vector3d& position,
                 const Eigen::Vector3d& axis);

// Fails where an argument of a generator lies outside of low .. high.
Result<void> check_range(const char* argument, long long value, long long low, long long high);

}  // namespace espalier::model::detail
