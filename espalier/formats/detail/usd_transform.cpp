#include "espalier/formats/detail/usd_transform.hpp"

#include <cmath>

#include <Eigen/LU>

#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Files hold seven digits, and products of a few rotations lose one of them.
constexpr double kSquare = 1e-5;

}  // namespace

UsdTransform UsdTransform::operator*(const UsdTransform& other) const {
  // R1 K1 R2 K2 = (R1 R2) (R2' K1 R2 K2): a scale that is the same along all axes passes a rotation unchanged.
  const bool even = stretch == Matrix3d(stretch(0, 0) * Matrix3d::Identity());
  const Matrix3d R = other.rotation.toRotationMatrix();
  const Matrix3d passed = even ? stretch : Matrix3d(R.transpose() * stretch * R);
  return {position + rotation * (stretch * other.position), rotation * other.rotation, passed * other.stretch};
}

UsdTransform usd_transform(const Matrix3d& linear, const Vector3d& position) {
  const std::optional<UsdScale> parts = usd_scale(linear);
  if (!parts) return {position, Eigen::Quaterniond::Identity(), linear};
  return {position, parts->turn, parts->scale.asDiagonal()};
}

std::optional<UsdTransform> inverse(const UsdTransform& transform) {
  const Matrix3d linear = transform.rotation.toRotationMatrix() * transform.stretch;
  // A product of scales may be tiny and still have an inverse, so that only zero counts as none.
  if (linear.determinant() == 0) return std::nullopt;
  const Matrix3d back = linear.inverse();
  return usd_transform(back, -(back * transform.position));
}

std::optional<UsdScale> usd_scale(const Matrix3d& stretch) {
  // Left alone where nothing is turned, so that what was written comes back to the last bit.
  if (stretch.isDiagonal(0)) return UsdScale{Eigen::Quaterniond::Identity(), stretch.diagonal()};
  Matrix3d axes;
  Vector3d scale;
  for (int k = 0; k < 3; ++k) {
    scale[k] = stretch.col(k).stableNorm();
    if (!(scale[k] > 0)) return std::nullopt;
    axes.col(k) = stretch.col(k) / scale[k];
  }
  const Matrix3d products = axes.transpose() * axes;
  if (!((products - Matrix3d::Identity()).cwiseAbs().maxCoeff() < kSquare)) return std::nullopt;
  if (axes.determinant() < 0) {
    axes.col(2) = -axes.col(2);
    scale[2] = -scale[2];
  }
  return UsdScale{Eigen::Quaterniond(axes).normalized(), scale};
}

}  // namespace espalier::formats::detail
