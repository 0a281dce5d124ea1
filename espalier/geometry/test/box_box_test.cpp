// Two boxes, through collide(), against closed forms, all axes, and the way all polyhedra go.

#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "espalier/geometry/test/touches.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::geometry {
namespace {

using Eigen::Vector3d;
using math::Pose;
using test::at;
using test::box;
using test::expect_pair;
using test::expect_touch;
using test::hull;
using test::least_gap;
using test::random_pose;
using test::touches;

// Boxes [-1, 1] x [-1, 1] below and [0.5, 2.5] x [-0.5, 0.5] above.
TEST(Collide, BoxOnABoxTouchesAtTheCornersOfTheOverlap) {
  const std::vector<Touch> found = touches(box({2, 1, 1}), at(1.5, 0, 1.49), box({2, 2, 2}), Pose{});
  ASSERT_EQ(found.size(), 4u);
  std::set<std::pair<double, double>> corners;
  for (const Touch& touch : found) {
    corners.insert({touch.point[0], touch.point[1]});
    EXPECT_NEAR(touch.point[2], 0.995, 1e-15);
    EXPECT_NEAR(touch.gap, -0.01, 1e-15);
    EXPECT_EQ(touch.normal, Vector3d(0, 0, 1));
  }
  EXPECT_EQ(corners, (std::set<std::pair<double, double>>{{0.5, -0.5}, {0.5, 0.5}, {1, -0.5}, {1, 0.5}}));
}

// Turned by 45 degrees the overlap is an octagon: four of its corners span most of it.
TEST(Collide, BoxTurnedOnABoxKeepsFourOfEightPoints) {
  const Pose turned{{0, 0, 1.99}, math::rotation_exp({0, 0, std::numbers::pi / 4})};
  const std::vector<Touch> found = touches(box({2, 2, 2}), turned, box({2, 2, 2}), Pose{});
  ASSERT_EQ(found.size(), 4u);
  Vector3d sum = Vector3d::Zero();
  for (const Touch& touch : found) {
    sum += touch.point;
    EXPECT_NEAR(touch.point.head<2>().norm(), std::hypot(1, std::sqrt(2) - 1), 1e-14);
  }
  EXPECT_LT((sum / 4 - Vector3d(0, 0, 0.995)).norm(), 1e-14);
}

// Two cubes on their edges, crossing: one edge along x, at height 0, the other along y above it.
TEST(Collide, CrossingEdgesTouchInOnePoint) {
  const Eigen::Quaterniond about_x = math::rotation_exp({std::numbers::pi / 4, 0, 0});
  const Eigen::Quaterniond about_y = math::rotation_exp({0, std::numbers::pi / 4, 0});
  const double half = std::sqrt(2);
  for (const double gap : {-0.01, 0.01}) {
    const std::vector<Touch> found =
        touches(box({2, 2, 2}), {{0.2, 0.3, half + gap}, about_y}, box({2, 2, 2}), {{0, 0, -half}, about_x}, 0.02);
    ASSERT_EQ(found.size(), 1u);
    expect_touch(found[0], {0.2, 0, gap / 2}, {0, 0, 1}, gap);
  }
}

TEST(Collide, CornersApartAreNearestAlongTheirDiagonal) {
  const Vector3d corner(1, 1, 1);
  for (const Geometry& other :
       {box({2, 2, 2}),
        hull({{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}})}) {
    const std::vector<Touch> found = touches(other, at(2.1, 2.1, 2.1), box({2, 2, 2}), Pose{}, 0.2);
    ASSERT_EQ(found.size(), 1u);
    expect_touch(found[0], 1.05 * corner, corner.normalized(), 0.1 * std::sqrt(3));
    EXPECT_TRUE(touches(other, at(2.1, 2.1, 2.1), box({2, 2, 2}), Pose{}, 0.17).empty());
  }
}

TEST(Collide, RandomBoxesAgreeWithAllAxesAndAllFeatures) {
  for (std::uint32_t key = 0; key < 1500; ++key) {
    Random random(31, key);
    const Geometry a = box(Vector3d(1, 1, 1) + test::random_vector(random, 0.8));
    const Geometry b = box(Vector3d(1, 1, 1) + test::random_vector(random, 0.8));
    SCOPED_TRACE(key);
    expect_pair(a, random_pose(random, 0.6), b, random_pose(random, 0.6), 0.2);
  }
}

// A thin cut of the second: the box as a hull goes the general way.
TEST(Collide, BoxesAndTheSameAsHullsTouchAlike) {
  for (std::uint32_t key = 0; key < 500; ++key) {
    Random random(33, key);
    const Geometry a = box(Vector3d(1, 1, 1) + test::random_vector(random, 0.5));
    const Geometry b = box(Vector3d(2, 2, 2) + test::random_vector(random, 0.5));
    const Pose X_WA = random_pose(random, 1);
    const Pose X_WB = random_pose(random, 1);
    const std::vector<Touch> found = touches(a, X_WA, b, X_WB, 0.1);
    const std::vector<Touch> same =
        touches(hull(a.polyhedron->vertices), X_WA, hull(b.polyhedron->vertices), X_WB, 0.1);
    SCOPED_TRACE(key);
    ASSERT_EQ(found.size(), same.size());
    if (found.empty()) continue;
    EXPECT_NEAR(least_gap(found), least_gap(same), 1e-12);
    EXPECT_LT((found[0].normal - same[0].normal).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace espalier::geometry
