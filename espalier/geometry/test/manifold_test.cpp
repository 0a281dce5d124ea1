#include <gtest/gtest.h>

#include "espalier/geometry/detail/convex.hpp"
#include "espalier/geometry/detail/polyhedron.hpp"

namespace espalier::geometry::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Manifold meet(const Polyhedron& a, const Polyhedron& b, const Matrix3d& R, const Vector3d& p, double margin) {
  Scratch memory;
  return make_manifold(as_convex(a), moved(as_convex(b), R, p, memory), margin, memory);
}

Matrix3d turned(double angle, const Vector3d& axis) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

// Cubes of side 2, one on the other, half over its rim: the common face is 1 x 2.
TEST(Manifold, TwoFacesMeetInTheCornersOfWhatTheyShare) {
  const Polyhedron cube = make_box(Vector3d::Ones());
  const Manifold manifold = meet(cube, cube, Matrix3d::Identity(), {1, 0, 1.99}, 0.1);
  ASSERT_EQ(manifold.count, 4);
  for (int k = 0; k < 4; ++k) {
    const Touch& touch = manifold.touches[k];
    EXPECT_NEAR(touch.gap, -0.01, 1e-14);
    EXPECT_LT((touch.normal - Vector3d::UnitZ()).norm(), 1e-15);
    EXPECT_NEAR(touch.point.z(), 0.995, 1e-14);
    EXPECT_NEAR(std::abs(touch.point.x() - 0.5), 0.5, 1e-14);
    EXPECT_NEAR(std::abs(touch.point.y()), 1, 1e-14);
  }
}

// Two cubes of side 2 on edge, the upper turned by a quarter: the edges cross at right angles over the origin. Each
// edge is sqrt(2) from its centre.
TEST(Manifold, TwoEdgesMeetInOnePoint) {
  const Polyhedron cube = make_box(Vector3d::Ones());
  const Matrix3d on_edge = turned(EIGEN_PI / 4, Vector3d::UnitX());
  const double gap = 0.02;
  Scratch of_a;
  const Convex a = moved(as_convex(cube), on_edge, Vector3d::Zero(), of_a);
  Scratch memory;
  const Convex b = moved(as_convex(cube), turned(EIGEN_PI / 2, Vector3d::UnitZ()) * on_edge,
                         {0, 0, 2 * std::sqrt(2.0) + gap}, memory);
  const Manifold manifold = make_manifold(a, b, 0.1, memory);
  ASSERT_EQ(manifold.count, 1);
  EXPECT_NEAR(manifold.touches[0].gap, gap, 1e-14);
  EXPECT_LT((manifold.touches[0].normal - Vector3d::UnitZ()).norm(), 1e-14);
  EXPECT_LT((manifold.touches[0].point - Vector3d(0, 0, std::sqrt(2.0) + gap / 2)).norm(), 1e-14);
}

// A cube that stands on its corner over a face.
TEST(Manifold, ACornerMeetsAFaceInOnePoint) {
  const Polyhedron cube = make_box(Vector3d::Ones());
  const Matrix3d on_corner =
      Eigen::Quaterniond::FromTwoVectors(Vector3d::Ones().normalized(), -Vector3d::UnitZ()).toRotationMatrix();
  const Manifold manifold = meet(cube, cube, on_corner, {0.1, 0.2, 1 + std::sqrt(3.0) - 0.03}, 0.1);
  ASSERT_EQ(manifold.count, 1);
  EXPECT_NEAR(manifold.touches[0].gap, -0.03, 1e-14);
  EXPECT_LT((manifold.touches[0].point - Vector3d(0.1, 0.2, 0.985)).norm(), 1e-14);
}

TEST(Manifold, NothingBeyondTheMargin) {
  const Polyhedron cube = make_box(Vector3d::Ones());
  EXPECT_EQ(meet(cube, cube, Matrix3d::Identity(), {0, 0, 2.2}, 0.1).count, 0);
  EXPECT_EQ(meet(cube, cube, Matrix3d::Identity(), {0, 0, 2.05}, 0.1).count, 4);
}

TEST(PassEdges, SkewLinesPassWhereTheirCommonNormalStands) {
  const auto [s, t] = pass_edges({-1, 0, 0}, {4, 0, 0}, {0, -1, 1}, {0, 2, 0});
  EXPECT_DOUBLE_EQ(s, 0.25);
  EXPECT_DOUBLE_EQ(t, 0.5);
}

}  // namespace
}  // namespace espalier::geometry::detail
