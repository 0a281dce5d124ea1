#include "espalier/math/inertia.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::math {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

// Two point masses on a massless rod: I = mu d^2 across it, 0 along it.
TEST(InertiaSum, OfTwoPointsIsADumbbell) {
  const Inertia a{2, Vector3d(1, 0, 0), Matrix3d::Zero()};
  const Inertia b{3, Vector3d(1, 0, 5), Matrix3d::Zero()};
  const Inertia sum = a + b;
  EXPECT_DOUBLE_EQ(sum.mass, 5);
  EXPECT_LT((sum.com - Vector3d(1, 0, 3)).norm(), 1e-15);
  const double across = 2.0 * 3.0 / 5.0 * 25;
  EXPECT_LT((sum.about_com - Matrix3d(Vector3d(across, across, 0).asDiagonal())).norm(), 1e-13);
}

TEST(InertiaSum, OfTwoHalvesIsTheWholeBox) {
  const Inertia half = box_inertia(1, {1, 2, 3});
  const Inertia left = transformed({Vector3d(-0.5, 0, 0), Eigen::Quaterniond::Identity()}, half);
  const Inertia right = transformed({Vector3d(0.5, 0, 0), Eigen::Quaterniond::Identity()}, half);
  const Inertia whole = box_inertia(2, {2, 2, 3});
  EXPECT_LT(((left + right).about_com - whole.about_com).norm(), 1e-14);
  EXPECT_LT((left + right).com.norm(), 1e-15);
}

TEST(InertiaTransformed, KeepsThePrincipalMoments) {
  Random random(9);
  const Inertia box = box_inertia(2, {1, 2, 3});
  for (int k = 0; k < 50; ++k) {
    const Pose X{Vector3d(random.normal(), 0, 1), rotation_exp({random.normal(), random.normal(), random.normal()})};
    const Inertia seen = transformed(X, box);
    EXPECT_LT((principal_moments(seen.about_com) - principal_moments(box.about_com)).norm(), 1e-13);
    EXPECT_LT((seen.com - X.position).norm(), 1e-15);
  }
}

TEST(Moments, AreInTheOrderXxYyZzXyXzYz) {
  Eigen::Matrix<double, 6, 1> moments;
  moments << 1, 2, 3, 4, 5, 6;
  const Matrix3d matrix = matrix_from_moments(moments);
  EXPECT_EQ(matrix(0, 1), 4);
  EXPECT_EQ(matrix(2, 0), 5);
  EXPECT_EQ(matrix(1, 2), 6);
  EXPECT_EQ(moments_from_matrix(matrix), moments);
}

Matrix3d turned(const Vector3d& principal) {
  const Matrix3d R = rotation_exp({0.3, -0.7, 1.1}).toRotationMatrix();
  return R * principal.asDiagonal() * R.transpose();
}

TEST(Impossibility, IsZeroForBodiesUpToTheThinRodAndTheFlatPlate) {
  EXPECT_EQ(impossibility(Matrix3d::Zero()), 0);
  EXPECT_LT(impossibility(turned({1, 1, 1})), 1e-15);
  EXPECT_LT(impossibility(turned({0, 1, 1})), 1e-15);
  EXPECT_LT(impossibility(turned({1, 2, 3})), 1e-15);
}

TEST(Impossibility, MeasuresTheBrokenTriangleAndNegativeMoments) {
  EXPECT_NEAR(impossibility(turned({1, 2, 4})), 0.25, 1e-14);
  EXPECT_NEAR(impossibility(turned({-1, 2, 2})), 0.5, 1e-14);
}

// Points spread evenly over the unit sphere (Fibonacci spiral).
std::vector<Vector3d> sphere_points(int count) {
  std::vector<Vector3d> points;
  for (int k = 0; k < count; ++k) {
    const double z = 1 - (2 * k + 1.0) / count;
    const double angle = k * pi * (3 - std::sqrt(5.0));
    const double r = std::sqrt(1 - z * z);
    points.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
  }
  return points;
}

// The inscribed polyhedron has the shape's gyration radii but for its own coarseness.
void expect_like_polyhedron(const Inertia& shape, const std::vector<Vector3d>& points, double tolerance) {
  const std::optional<Hull> hull = convex_hull(points);
  ASSERT_TRUE(hull);
  const Inertia polyhedron = hull_inertia(*hull, 1);
  const Vector3d expected = polyhedron.about_com.diagonal() / polyhedron.mass;
  const Vector3d found = shape.about_com.diagonal() / shape.mass;
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k] / expected[k], 1, tolerance) << "axis " << k;
  EXPECT_LT(polyhedron.com.norm(), tolerance);
}

TEST(Solids, SphereAndEllipsoidAreLikeTheirFinePolyhedra) {
  std::vector<Vector3d> points = sphere_points(400);
  expect_like_polyhedron(sphere_inertia(3, 1), points, 0.02);
  for (Vector3d& p : points) p = p.cwiseProduct(Vector3d(1, 2, 3));
  expect_like_polyhedron(ellipsoid_inertia(3, {1, 2, 3}), points, 0.02);
}

TEST(Solids, CylinderIsLikeItsFinePrism) {
  std::vector<Vector3d> points;
  for (int k = 0; k < 60; ++k) {
    for (const double z : {-1.5, 1.5}) points.emplace_back(0.5 * std::cos(pi * k / 30), 0.5 * std::sin(pi * k / 30), z);
  }
  expect_like_polyhedron(cylinder_inertia(2, 0.5, 3), points, 0.005);
}

TEST(Solids, CapsuleIsLikeItsFinePolyhedron) {
  std::vector<Vector3d> points = sphere_points(400);
  for (Vector3d& p : points) p = 0.5 * p + Vector3d(0, 0, p.z() > 0 ? 0.4 : -0.4);
  expect_like_polyhedron(capsule_inertia(2, 0.5, 0.8), points, 0.02);
}

TEST(Solids, CapsuleIsASphereAtOneEndAndACylinderAtTheOther) {
  EXPECT_LT((capsule_inertia(2, 0.5, 0).about_com - sphere_inertia(2, 0.5).about_com).norm(), 1e-15);
  EXPECT_NEAR(capsule_inertia(2, 1e-4, 3).about_com(0, 0), 2 * 9.0 / 12, 1e-3);
}

TEST(Solids, BoxHasItsTextbookMoments) {
  const Matrix3d box = box_inertia(12, {1, 2, 3}).about_com;
  EXPECT_LT((box - Matrix3d(Vector3d(13, 10, 5).asDiagonal())).norm(), 1e-14);
}

}  // namespace
}  // namespace espalier::math
