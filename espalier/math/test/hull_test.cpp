#include "espalier/math/inertia.hpp"

#include <map>

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::math {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

std::vector<Vector3d> cube_corners() {
  std::vector<Vector3d> points;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) {
      for (const double z : {-1.0, 1.0}) points.emplace_back(x, y, z);
    }
  }
  return points;
}

// Every directed edge has its twin: the surface is closed and all triangles turn the same way.
void expect_closed(const Hull& hull) {
  std::map<std::pair<int, int>, int> edges;
  for (const auto& t : hull.triangles) {
    for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  }
  for (const auto& [edge, times] : edges) {
    EXPECT_EQ(times, 1);
    EXPECT_TRUE(edges.contains({edge.second, edge.first}));
  }
}

TEST(ConvexHull, OfACubeWithPointsInsideAndOnItIsTheCube) {
  std::vector<Vector3d> points = cube_corners();
  points.emplace_back(0, 0, 0);
  points.emplace_back(1, 0, 0);
  points.emplace_back(1, 1, 0);
  points.insert(points.begin(), Vector3d(0.3, 0.2, 0.1));
  const std::optional<Hull> hull = convex_hull(points);
  ASSERT_TRUE(hull);
  EXPECT_EQ(hull->vertices.size(), 8u);
  EXPECT_EQ(hull->triangles.size(), 12u);
  expect_closed(*hull);
  const Inertia inertia = hull_inertia(*hull, 3);
  EXPECT_NEAR(inertia.mass, 24, 1e-12);
  EXPECT_LT((inertia.about_com - box_inertia(24, {2, 2, 2}).about_com).norm(), 1e-12);
}

TEST(ConvexHull, OfRandomPointsHoldsThemAllAndTurnsOutward) {
  for (std::uint32_t key = 0; key < 30; ++key) {
    Random random(12, key);
    std::vector<Vector3d> points;
    for (int k = 0; k < 60; ++k) points.emplace_back(random.normal(), random.normal(), 1e-3 * random.normal());
    const std::optional<Hull> hull = convex_hull(points);
    ASSERT_TRUE(hull);
    expect_closed(*hull);
    // Euler: V - E + F = 2 with E = 3F/2.
    EXPECT_EQ(2 * hull->vertices.size(), hull->triangles.size() + 4);
    for (const auto& t : hull->triangles) {
      const Vector3d& a = hull->vertices[t[0]];
      const Vector3d normal = (hull->vertices[t[1]] - a).cross(hull->vertices[t[2]] - a).normalized();
      for (const Vector3d& p : points) EXPECT_LT(normal.dot(p - a), 1e-7);
    }
    EXPECT_GT(hull_inertia(*hull, 1).mass, 0);
  }
}

TEST(ConvexHull, OfPointsInAPlaneOrOnALineIsNothing) {
  std::vector<Vector3d> plane, line;
  const Eigen::Quaterniond q = rotation_exp({0.1, 0.2, 0.3});
  for (int k = 0; k < 10; ++k) {
    plane.push_back(q * Vector3d(k, k * k, 0));
    line.emplace_back(k, 2 * k, 3 * k);
  }
  EXPECT_FALSE(convex_hull(plane));
  EXPECT_FALSE(convex_hull(line));
  EXPECT_FALSE(convex_hull(std::vector<Vector3d>(5, Vector3d(1, 1, 1))));
  EXPECT_FALSE(convex_hull(std::vector<Vector3d>(3, Vector3d(1, 1, 1))));
}

// The corner tetrahedron of the unit cube: <x^2> = 1/10, <xy> = 1/20, centre at 1/4.
TEST(HullInertia, OfATetrahedronIsItsIntegral) {
  const std::vector<Vector3d> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Inertia inertia = hull_inertia(*convex_hull(points), 6);
  EXPECT_NEAR(inertia.mass, 1, 1e-15);
  EXPECT_LT((inertia.com - Vector3d::Constant(0.25)).norm(), 1e-15);
  Matrix3d expected = Matrix3d::Constant(1.0 / 80);
  expected.diagonal().setConstant(3.0 / 40);
  EXPECT_LT((inertia.about_com - expected).norm(), 1e-15);
}

}  // namespace
}  // namespace espalier::math
