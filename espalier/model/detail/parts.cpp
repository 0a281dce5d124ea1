#include "espalier/model/detail/parts.hpp"

#include <utility>

#include <fmt/format.h>

#include "espalier/math/rotation.hpp"

namespace espalier::model::detail {

using Eigen::Vector3d;

ShapeSpec bar_shape(const Vector3d& from, const Vector3d& to, const Vector3d& normal, const BarStock& stock,
                    const math::Pose& X_WB) {
  ShapeSpec shape;
  shape.kind = ShapeKind::kBox;
  // Along x, as rotation_with_xy() turns it below.
  shape.size = {(to - from).norm(), stock.width, stock.width};
  // canonical(), so that the same bar has the same bits whichever way its quaternion came out.
  shape.pose = math::relative_pose(X_WB, {(from + to) / 2, math::canonical(math::rotation_with_xy(to - from, normal))});
  return shape;
}

BodySpec bar(std::string name, const Vector3d& from, const Vector3d& to, const Vector3d& normal,
             const BarStock& stock) {
  BodySpec body;
  body.name = std::move(name);
  body.material = stock.material;
  ShapeSpec shape = bar_shape(from, to, normal, stock);
  // The body's frame is the box's: the shape then stands in it without a pose.
  body.pose = std::exchange(shape.pose, math::Pose{});
  body.shapes.push_back(std::move(shape));
  return body;
}

JointSpec joint_at(std::string name, JointType type, std::string a, std::string b, const Vector3d& position,
                   const Eigen::Quaterniond& rotation) {
  JointSpec joint;
  joint.name = std::move(name);
  joint.type = type;
  joint.a = std::move(a);
  joint.b = std::move(b);
  // In the world and not in the bodies, so that every generated joint is closed by construction.
  joint.at = math::Pose{position, rotation};
  return joint;
}

JointSpec pin_at(std::string name, std::string a, std::string b, const Vector3d& position, const Vector3d& axis) {
  return joint_at(std::move(name), JointType::kRevolute, std::move(a), std::move(b), position,
                  math::rotation_with_z(axis));
}

Result<void> check_range(const char* argument, long long value, long long low, long long high) {
  // 64 bits, since bounds are products of sizes.
  if (value >= low && value <= high) return {};
  return make_error(ErrorCode::kOption, {},
                    fmt::format("{} = {} must lie between {} and {}", argument, value, low, high));
}

}  // namespace espalier::model::detail
