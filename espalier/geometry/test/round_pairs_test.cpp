// Balls, capsules and the half space, through collide(), which hands each pair to the function that knows it.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/geometry/test/touches.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::geometry {
namespace {

using Eigen::Vector3d;
using math::Pose;
using test::at;
using test::box;
using test::capsule;
using test::expect_sound;
using test::expect_touch;
using test::plane;
using test::random_pose;
using test::Solid;
using test::sphere;
using test::touches;

TEST(Collide, SphereOnAPlaneTouchesBelowItsCentre) {
  const Eigen::Quaterniond tilt = math::rotation_exp({0, std::numbers::pi / 2, 0});  // normal: +x
  const std::vector<Touch> found = touches(sphere(0.5), at(2.4, 3, 4), plane(), {{2, 0, 0}, tilt});
  ASSERT_EQ(found.size(), 1u);
  expect_touch(found[0], {1.95, 3, 4}, {1, 0, 0}, -0.1);
}

TEST(Collide, CapsuleTouchesAPlaneWithBothEndsOrOne) {
  const Eigen::Quaterniond lying = math::rotation_exp({std::numbers::pi / 2, 0, 0});
  std::vector<Touch> found = touches(capsule(0.5, 2), {{0, 0, 0.4}, lying}, plane(), Pose{});
  ASSERT_EQ(found.size(), 2u);
  expect_touch(found[0], {0, 1, -0.05}, {0, 0, 1}, -0.1);
  expect_touch(found[1], {0, -1, -0.05}, {0, 0, 1}, -0.1);
  found = touches(capsule(0.5, 2), at(0, 0, 1.4), plane(), Pose{});
  ASSERT_EQ(found.size(), 1u);
  expect_touch(found[0], {0, 0, -0.05}, {0, 0, 1}, -0.1);
}

// Whatever way a wheel has turned, it touches below its axis, with both rims.
TEST(Collide, AWheelTouchesAPlaneWithTheLowestPointsOfBothRims) {
  const Geometry wheel = test::shape(model::ShapeKind::kCylinder, {0.5, 0.2, 0});
  for (double turn = 0; turn < 1; turn += 0.0371) {
    const Eigen::Quaterniond rolled =
        math::rotation_exp({std::numbers::pi / 2, 0, 0}) * math::rotation_exp({0, 0, turn});
    const std::vector<Touch> found = touches(wheel, {{3, 0, 0.49}, rolled}, plane(), Pose{});
    ASSERT_EQ(found.size(), 2u) << turn;
    for (const Touch& touch : found) {
      EXPECT_NEAR(touch.point[0], 3, 1e-14);
      EXPECT_NEAR(std::abs(touch.point[1]), 0.1, 1e-14);
      EXPECT_NEAR(touch.gap, -0.01, 1e-14);
    }
    expect_sound(found);
  }
  const std::vector<Touch> standing = touches(wheel, at(0, 0, 0.1), plane(), Pose{}, 1e-3);
  ASSERT_EQ(standing.size(), 4u);
  for (const Touch& touch : standing) EXPECT_NEAR(touch.point.head<2>().norm(), 0.5, 1e-14);
  expect_sound(standing);
}

// The lowest point of an ellipsoid in any pose, against many points of its surface.
TEST(Collide, AnEllipsoidTouchesAPlaneAtItsLowestPoint) {
  const Vector3d half(0.5, 0.3, 0.2);
  const Geometry body = test::shape(model::ShapeKind::kEllipsoid, half);
  Random random(4);
  for (int trial = 0; trial < 50; ++trial) {
    const Pose pose = random_pose(random, 0.1);
    const std::vector<Touch> found = touches(body, pose, plane(), Pose{}, 10);
    ASSERT_EQ(found.size(), 1u);
    double lowest = 1e300;
    for (int k = 0; k < 4000; ++k) {
      const double z = 2 * random.uniform() - 1, across = std::sqrt(1 - z * z), turn = 6.283 * random.uniform();
      const Vector3d on_ball(across * std::cos(turn), across * std::sin(turn), z);
      lowest = std::min(lowest, (pose * Vector3d(half.cwiseProduct(on_ball))).z());
    }
    EXPECT_LE(found[0].gap, lowest + 1e-12);
    EXPECT_GT(found[0].gap, lowest - 2e-3);
    EXPECT_LE(bounds(body, pose).low.z(), found[0].gap + 1e-12);
  }
}

TEST(Collide, BoxOnAPlaneTouchesWithFourCorners) {
  const Geometry cube = box({2, 4, 6});
  const std::vector<Touch> found = touches(cube, at(5, 6, 2.99), plane(), Pose{});
  ASSERT_EQ(found.size(), 4u);
  for (const Touch& touch : found) {
    EXPECT_NEAR(std::abs(touch.point[0] - 5), 1, 1e-15);
    EXPECT_NEAR(std::abs(touch.point[1] - 6), 2, 1e-15);
    EXPECT_NEAR(touch.point[2], -0.005, 1e-15);
    EXPECT_NEAR(touch.gap, -0.01, 1e-15);
    EXPECT_EQ(touch.normal, Vector3d(0, 0, 1));
  }
  expect_sound(found);
}

TEST(Collide, CylinderOnAPlaneTouchesWithFourCornersFarApart) {
  const Geometry drum = test::shape(model::ShapeKind::kCylinder, {1, 1, 0});
  const std::vector<Touch> found = touches(drum, at(0, 0, 0.5), plane(), Pose{}, 1e-6);
  ASSERT_EQ(found.size(), 4u);
  // The largest quadrangle in a circle is a square.
  double area = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (std::size_t k = 0; k < j; ++k) {
        area += (found[i].point - found[k].point).cross(found[j].point - found[k].point).norm() / 4;
      }
    }
  }
  EXPECT_NEAR(area, 2, 0.01);
}

TEST(Collide, CapsulesTouchOnceWhereTheyCrossAndTwiceWhereTheyLie) {
  const Eigen::Quaterniond along_x = math::rotation_exp({0, std::numbers::pi / 2, 0});
  std::vector<Touch> found = touches(capsule(0.5, 4), at(0, 0.9, 1), capsule(0.5, 4), {{0, 0, 0}, along_x});
  ASSERT_EQ(found.size(), 1u);
  expect_touch(found[0], {0, 0.45, 0}, {0, 1, 0}, -0.1);
  // Side by side, shifted by 3: they share a unit of length.
  found = touches(capsule(0.5, 4), at(0.9, 0, 3), capsule(0.5, 4), Pose{});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(std::abs(found[0].point[2] - found[1].point[2]), 1, 1e-15);
  for (const Touch& touch : found) {
    EXPECT_NEAR(touch.gap, -0.1, 1e-15);
    EXPECT_LT((touch.normal - Vector3d::UnitX()).norm(), 1e-15);
  }
  // One behind the other.
  found = touches(capsule(0.5, 4), at(0, 0, 4.9), capsule(0.5, 4), Pose{});
  ASSERT_EQ(found.size(), 1u);
  expect_touch(found[0], {0, 0, 2.45}, {0, 0, 1}, -0.1);
}

TEST(Collide, SphereInABoxLeavesThroughTheNearestFace) {
  const std::vector<Touch> found = touches(sphere(0.1), at(0.2, -0.7, 0.3), box({2, 2, 2}), Pose{});
  ASSERT_EQ(found.size(), 1u);
  expect_touch(found[0], {0.2, -0.8, 0.3}, {0, -1, 0}, -0.4);
}

TEST(Collide, SphereAgainstPolyhedraIsNearestPointMinusRadius) {
  for (std::uint32_t key = 0; key < 300; ++key) {
    Random random(21, key);
    const Geometry other =
        key % 2 ? test::random_hull(random, 10, 1) : box(Vector3d(1, 1, 1) + test::random_vector(random, 0.5));
    const Pose pose = random_pose(random, 1);
    const Vector3d centre = test::random_vector(random, 2);
    const double expected = test::height(Solid(*other.polyhedron, pose), centre) - 0.3;
    const std::vector<Touch> found = touches(sphere(0.3), {centre, Eigen::Quaterniond::Identity()}, other, pose, 0.5);
    ASSERT_EQ(found.size(), expected <= 0.5 ? 1u : 0u);
    if (!found.empty()) {
      EXPECT_NEAR(found[0].gap, expected, 1e-13);
    }
  }
}

}  // namespace
}  // namespace espalier::geometry
