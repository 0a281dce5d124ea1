#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/model/spec.hpp"

namespace espalier::model {
namespace {

using std::numbers::pi;

ShapeSpec shape(ShapeKind kind, const Eigen::Vector3d& size) {
  ShapeSpec spec;
  spec.kind = kind;
  spec.size = size;
  return spec;
}

void expect_moments(const ShapeSpec& spec, double volume, const Eigen::Vector3d& moments) {
  const std::optional<math::Inertia> inertia = solid_inertia(spec);
  ASSERT_TRUE(inertia) << word(spec.kind);
  EXPECT_NEAR(inertia->mass, volume, 1e-14 * volume) << word(spec.kind);
  EXPECT_LT(inertia->com.norm(), 1e-14) << word(spec.kind);
  const Eigen::Matrix3d expected = moments.asDiagonal();
  EXPECT_LT((inertia->about_com - expected).norm(), 1e-13 * moments.norm()) << word(spec.kind);
}

// Textbook moments at density 1; no two measures are equal, so that a swapped axis shows.
TEST(SolidInertia, IsThatOfTheTextbook) {
  const double ball = 4 / 3.0 * pi * 8;
  expect_moments(shape(ShapeKind::kSphere, {2, 0, 0}), ball, Eigen::Vector3d::Constant(0.4 * ball * 4));
  expect_moments(shape(ShapeKind::kBox, {1, 2, 3}), 6, {6 / 12.0 * (4 + 9), 6 / 12.0 * (1 + 9), 6 / 12.0 * (1 + 4)});
  const double drum = pi * 4 * 3;
  const double across = drum * (3 * 4 + 9) / 12;
  expect_moments(shape(ShapeKind::kCylinder, {2, 3, 0}), drum, {across, across, drum * 4 / 2});
  const double egg = 4 / 3.0 * pi * 6;
  expect_moments(shape(ShapeKind::kEllipsoid, {1, 2, 3}), egg,
                 {egg / 5 * (4 + 9), egg / 5 * (1 + 9), egg / 5 * (1 + 4)});
}

// Slice by slice along z: a disc of radius r(z) has pi r^4 / 2 about z and pi r^4 / 4 + pi r^2 z^2 across.
TEST(SolidInertia, OfACapsuleIsTheSumOfItsSlices) {
  const double radius = 0.7, length = 1.3, end = length / 2 + radius;
  const int n = 20000;
  double volume = 0, along = 0, across = 0;
  for (int k = 0; k < n; ++k) {
    const double z = -end + (k + 0.5) * 2 * end / n, dz = 2 * end / n;
    const double beyond = std::max(0.0, std::abs(z) - length / 2);
    const double r2 = radius * radius - beyond * beyond;
    volume += pi * r2 * dz;
    along += pi * r2 * r2 / 2 * dz;
    across += (pi * r2 * r2 / 4 + pi * r2 * z * z) * dz;
  }
  const std::optional<math::Inertia> inertia = solid_inertia(shape(ShapeKind::kCapsule, {radius, length, 0}));
  ASSERT_TRUE(inertia);
  EXPECT_NEAR(inertia->mass, volume, 1e-7);
  EXPECT_NEAR(inertia->about_com(2, 2), along, 1e-7);
  EXPECT_NEAR(inertia->about_com(0, 0), across, 1e-7);
}

// The corner tetrahedron: volume 1/6, centre 1/4, int x^2 = 1/60 and int x y = 1/120 about the corner.
TEST(SolidInertia, OfAHullIsThatOfItsTetrahedron) {
  ShapeSpec hull = shape(ShapeKind::kHull, Eigen::Vector3d::Zero());
  hull.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::optional<math::Inertia> inertia = solid_inertia(hull);
  ASSERT_TRUE(inertia);
  EXPECT_NEAR(inertia->mass, 1 / 6.0, 1e-15);
  EXPECT_LT((inertia->com - Eigen::Vector3d::Constant(0.25)).norm(), 1e-15);
  const double square = 1 / 60.0 - 1 / 6.0 / 16, product = 1 / 120.0 - 1 / 6.0 / 16;
  EXPECT_NEAR(inertia->about_com(0, 0), 2 * square, 1e-15);
  EXPECT_NEAR(inertia->about_com(0, 1), -product, 1e-15);
}

TEST(SolidInertia, IsNoneWhereThereIsNoVolume) {
  EXPECT_FALSE(solid_inertia(shape(ShapeKind::kPlane, Eigen::Vector3d::Zero())));
  EXPECT_FALSE(solid_inertia(shape(ShapeKind::kMesh, Eigen::Vector3d::Zero())));
  ShapeSpec flat = shape(ShapeKind::kHull, Eigen::Vector3d::Zero());
  flat.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  EXPECT_FALSE(solid_inertia(flat));
}

}  // namespace
}  // namespace espalier::model
