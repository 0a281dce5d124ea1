#include <gtest/gtest.h>

#include "espalier/geometry/detail/convex.hpp"
#include "espalier/geometry/test/shapes.hpp"

namespace espalier::geometry::detail {
namespace {

using Eigen::Vector3d;
using math::Pose;

constexpr double kFar = 1e300;

struct Found {
  bool near = false;
  Axes axes;
  double best() const { return std::max({axes.face_a.separation, axes.face_b.separation, axes.edges.separation}); }
};

Found find(const Geometry& a, const Geometry& b, const Pose& pose, double reach, double slack) {
  Scratch memory;
  const Convex of_b = moved(as_convex(*b.polyhedron), pose.rotation.toRotationMatrix(), pose.position, memory);
  Found found;
  found.near = find_axes(as_convex(*a.polyhedron), of_b, reach, slack, memory, found.axes);
  return found;
}

// How far the shadows of both on a normal out of a are apart.
double gap_along(const Vector3d& normal, const test::Solid& a, const test::Solid& b) {
  double top = -kFar;
  double bottom = kFar;
  for (const Vector3d& v : a.vertices) top = std::max(top, normal.dot(v));
  for (const Vector3d& v : b.vertices) bottom = std::min(bottom, normal.dot(v));
  return bottom - top;
}

// Bounds leave most pairs of edges out; what is found is the best of all of them.
TEST(FindAxes, OfRandomHullsIsTheBestOfAllAxes) {
  int by_edges = 0;
  int overlaps = 0;
  for (std::uint32_t key = 0; key < 400; ++key) {
    Random random(91, key);
    const Geometry a = test::random_hull(random, 9, 1);
    const Geometry b = test::random_hull(random, 7, 1);
    const Pose pose = test::random_pose(random, 1);
    const test::Solid solid_a(*a.polyhedron, Pose{});
    const test::Solid solid_b(*b.polyhedron, pose);
    const double expected = test::axis_separation(solid_a, solid_b);
    SCOPED_TRACE(key);
    const Found found = find(a, b, pose, kFar, 0);
    ASSERT_TRUE(found.near);
    if (expected < 0) {
      EXPECT_NEAR(found.best(), expected, 1e-12);
      ++overlaps;
    } else {
      // Apart, two edges whose arcs do not cross may show more than any face of the difference, and that some face of
      // it shows them apart is all that is asked.
      EXPECT_GT(found.best(), -1e-12);
      EXPECT_LE(found.best(), expected + 1e-12);
    }
    EXPECT_FALSE(found.axes.hidden);
    by_edges += found.axes.edges.separation == found.best() ? 1 : 0;
    for (const Axis& axis : {found.axes.face_a, found.axes.face_b, found.axes.edges}) {
      if (!axis.known()) continue;
      EXPECT_NEAR(axis.normal.norm(), 1, 1e-14);
      EXPECT_NEAR(gap_along(axis.normal, solid_a, solid_b), axis.separation, 1e-12);
    }
  }
  EXPECT_GT(by_edges, 20);
  EXPECT_GT(overlaps, 100);
}

TEST(FindAxes, SaysNoExactlyWhereAnAxisExceedsTheReach) {
  int apart = 0;
  for (std::uint32_t key = 0; key < 200; ++key) {
    Random random(92, key);
    const Geometry a = test::random_hull(random, 8, 1);
    const Geometry b = test::random_hull(random, 8, 1);
    const Pose pose = test::random_pose(random, 1);
    const double expected = test::axis_separation(test::Solid(*a.polyhedron, Pose{}), test::Solid(*b.polyhedron, pose));
    const double reach = -0.15;
    if (std::abs(expected - reach) < 1e-9) continue;
    EXPECT_EQ(find(a, b, pose, reach, 0).near, expected < reach) << key;
    apart += expected > reach ? 1 : 0;
  }
  EXPECT_GT(apart, 20);
}

// Cubes of side 2, the second turned by an eighth about y and shifted up: of its edge and the face below, the face is
// what separates, and b has no face as good. Kinds within the slack are there all the same.
TEST(FindAxes, KeepsKindsWithinTheSlack) {
  const Geometry cube = test::box({2, 2, 2});
  const Pose pose{{0, 0, 1 + std::sqrt(2) - 0.01},
                  Eigen::Quaterniond(Eigen::AngleAxisd(EIGEN_PI / 4, Vector3d::UnitY()))};
  const Found found = find(cube, cube, pose, 1, 10);
  ASSERT_TRUE(found.near);
  EXPECT_NEAR(found.axes.face_a.separation, -0.01, 1e-14);
  EXPECT_LT((found.axes.face_a.normal - Vector3d::UnitZ()).norm(), 1e-15);
  EXPECT_EQ(found.axes.face_a.a, 5);
  ASSERT_TRUE(found.axes.face_b.known());
  // A face of b leans by an eighth: a reaches sqrt 2 along its normal, b 1, and the centres are that far apart.
  EXPECT_NEAR(found.axes.face_b.separation, (1 + std::sqrt(2) - 0.01) / std::sqrt(2) - 1 - std::sqrt(2), 1e-14);
}

}  // namespace
}  // namespace espalier::geometry::detail
