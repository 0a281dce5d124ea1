#include "espalier/geometry/geometry.hpp"

#include <cmath>
#include <limits>
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
using test::capsule;
using test::expect_pair;
using test::expect_sound;
using test::expect_touch;
using test::features;
using test::least_gap;
using test::plane;
using test::random_pose;
using test::Solid;
using test::sphere;
using test::touches;

std::vector<Geometry> shapes_that_move() {
  Random random(17);
  return {sphere(0.4),
          box({0.7, 1.1, 0.5}),
          box({0.8, 0.8, 0.8}),
          capsule(0.3, 0.9),
          capsule(0.5, 0),
          test::random_hull(random, 12, 0.8),
          test::shape(model::ShapeKind::kCylinder, {0.4, 0.7, 0}),
          test::shape(model::ShapeKind::kEllipsoid, {0.6, 0.3, 0.5})};
}

TEST(Collide, SpheresTouchOnTheLineOfTheirCentres) {
  const std::vector<Touch> found = touches(sphere(0.5), at(1, 0, 0), sphere(0.25), at(1, 0.7, 0));
  ASSERT_EQ(found.size(), 1u);
  expect_touch(found[0], {1, 0.475, 0}, {0, -1, 0}, -0.05);
  EXPECT_TRUE(touches(sphere(0.5), at(0, 0, 0), sphere(0.25), at(0, 0.8, 0), 0.049).empty());
  EXPECT_EQ(touches(sphere(0.5), at(0, 0, 0), sphere(0.25), at(0, 0.8, 0), 0.051).size(), 1u);
}

TEST(Collide, CapsuleLiesOnABoxWithTwoPointsAndLeansOnItsEdgeWithOne) {
  const Eigen::Quaterniond along_x = math::rotation_exp({0, std::numbers::pi / 2, 0});
  std::vector<Touch> found = touches(capsule(0.5, 4), {{1, 0, 1.4}, along_x}, box({2, 2, 2}), Pose{});
  ASSERT_EQ(found.size(), 2u);
  std::set<double> places;
  for (const Touch& touch : found) {
    places.insert(std::round(touch.point[0] * 1e12) / 1e12);
    EXPECT_NEAR(touch.gap, -0.1, 1e-15);
    EXPECT_LT((touch.normal - Vector3d::UnitZ()).norm(), 1e-14);
  }
  EXPECT_EQ(places, (std::set<double>{-1, 1}));
  // Beside the edge x = z = 1, parallel to y would be two; across it, one.
  const Eigen::Quaterniond across = math::rotation_exp({0, std::numbers::pi / 4, 0});
  const Vector3d out = Vector3d(1, 0, 1).normalized();
  found = touches(capsule(0.5, 4),
                  {Vector3d(1, 0.3, 1) + 0.45 * out, across * math::rotation_exp({0, std::numbers::pi / 2, 0})},
                  box({2, 2, 2}), Pose{});
  ASSERT_EQ(found.size(), 1u);
  expect_touch(found[0], Vector3d(1, 0.3, 1) - 0.025 * out, out, -0.05);
}

TEST(Collide, RandomHullsAgreeWithAllAxesAndAllFeatures) {
  for (std::uint32_t key = 0; key < 300; ++key) {
    Random random(32, key);
    const Geometry a = test::random_hull(random, 9, 1);
    const Geometry b = key % 3 == 0 ? box({1, 0.6, 1.4}) : test::random_hull(random, 7, 1);
    SCOPED_TRACE(key);
    expect_pair(a, random_pose(random, 0.8), b, random_pose(random, 0.8), 0.2);
  }
}

TEST(Collide, CapsulesAgainstHullsAreAsFarAsTheirStraightPart) {
  for (std::uint32_t key = 0; key < 300; ++key) {
    Random random(34, key);
    const Geometry other = key % 2 ? test::random_hull(random, 8, 1) : box({1, 0.6, 1.4});
    const Geometry stick = capsule(0.2, 1.2);
    const Pose X_WA = random_pose(random, 1);
    const Pose X_WB = random_pose(random, 1);
    const Solid solid(*other.polyhedron, X_WB);
    const std::array<Vector3d, 2> line = {X_WA * Vector3d(0, 0, -0.6), X_WA * Vector3d(0, 0, 0.6)};
    double expected = std::min(test::height(solid, line[0]), test::height(solid, line[1]));
    for (const auto& edge : solid.edges) expected = std::min(expected, test::line_line(line, edge));
    bool cuts = expected <= 0;
    for (int k = 0; k <= 200 && !cuts; ++k) cuts = test::height(solid, line[0] + k / 200.0 * (line[1] - line[0])) <= 0;
    const std::vector<Touch> found = touches(stick, X_WA, other, X_WB, 0.1);
    expect_sound(found);
    SCOPED_TRACE(key);
    if (cuts) {
      EXPECT_LE(least_gap(found), -0.2 + 1e-9);
    } else if (expected > 0.3 + 1e-9) {
      EXPECT_TRUE(found.empty());
    } else if (expected < 0.3 - 1e-3) {
      EXPECT_NEAR(least_gap(found), expected - 0.2, 2 * kFaceBias * 0.2);
    }
  }
}

TEST(Collide, AnswersMoveWithTheShapes) {
  const std::vector<Geometry> shapes = shapes_that_move();
  for (std::uint32_t key = 0; key < 400; ++key) {
    Random random(41, key);
    const Geometry& a = shapes[random.below(static_cast<int>(shapes.size()))];
    const Geometry& b = shapes[random.below(static_cast<int>(shapes.size()))];
    if (&a == &b) continue;
    const Pose X_WA = random_pose(random, 0.4);
    const Pose X_WB = random_pose(random, 0.4);
    const Pose motion = random_pose(random, 2);
    const std::vector<Touch> here = touches(a, X_WA, b, X_WB, 0.1);
    const std::vector<Touch> there = touches(a, motion * X_WA, b, motion * X_WB, 0.1);
    ASSERT_EQ(here.size(), there.size());
    for (std::size_t k = 0; k < here.size(); ++k) {
      EXPECT_LT((motion * here[k].point - there[k].point).norm(), 1e-12);
      EXPECT_LT((motion.rotation * here[k].normal - there[k].normal).norm(), 1e-12);
      EXPECT_NEAR(here[k].gap, there[k].gap, 1e-12);
      EXPECT_EQ(here[k].feature, there[k].feature);
    }
  }
}

TEST(Collide, NamedTheOtherWayRoundTheNormalsAloneTurn) {
  std::vector<Geometry> shapes = shapes_that_move();
  shapes.push_back(plane());
  for (std::uint32_t key = 0; key < 1000; ++key) {
    Random random(42, key);
    const Geometry& a = shapes[random.below(static_cast<int>(shapes.size()))];
    const Geometry& b = shapes[random.below(static_cast<int>(shapes.size()))];
    const Pose X_WA = random_pose(random, 0.4);
    const Pose X_WB = random_pose(random, 0.4);
    const std::vector<Touch> one = touches(a, X_WA, b, X_WB, 0.1);
    const std::vector<Touch> other = touches(b, X_WB, a, X_WA, 0.1);
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t k = 0; k < one.size(); ++k) {
      EXPECT_EQ(one[k].point, other[k].point);
      EXPECT_EQ(one[k].normal, -other[k].normal);
      EXPECT_EQ(one[k].gap, other[k].gap);
      EXPECT_EQ(one[k].feature, other[k].feature);
    }
  }
}

TEST(Collide, ShapesThatCoincideGetUnitNormals) {
  std::vector<Geometry> shapes = shapes_that_move();
  shapes.push_back(plane());
  const Pose turned{{0.1, 0.2, 0.3}, math::rotation_exp({0.3, 0.2, 0.1})};
  for (const Geometry& a : shapes) {
    for (const Geometry& b : shapes) {
      for (const Pose& pose : {Pose{}, turned}) {
        const std::vector<Touch> found = touches(a, pose, b, pose, 0.01);
        EXPECT_EQ(found.empty(), a.kind == Geometry::Kind::kPlane && b.kind == Geometry::Kind::kPlane);
        expect_sound(found);
      }
    }
  }
}

TEST(Collide, PosesThatAreNotFiniteTouchNothing) {
  std::vector<Geometry> shapes = shapes_that_move();
  shapes.push_back(plane());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Pose nowhere = at(0, nan, 0);
  const Pose unturned{{0, 0, 0}, Eigen::Quaterniond(nan, 0, 0, 0)};
  for (const Geometry& a : shapes) {
    for (const Geometry& b : shapes) {
      EXPECT_TRUE(touches(a, nowhere, b, Pose{}, 1).empty());
      EXPECT_TRUE(touches(a, Pose{}, b, unturned, 1).empty());
    }
  }
}

struct Resting {
  const char* name;
  Geometry a;
  Pose X_WA;
  Geometry b;
  std::size_t points;
};

TEST(Collide, WhatLiesFlatKeepsItsPointsAsItTrembles) {
  const Eigen::Quaterniond yaw = math::rotation_exp({0, 0, 0.3});
  const Eigen::Quaterniond eighth = math::rotation_exp({0, 0, std::numbers::pi / 4});
  const Eigen::Quaterniond lying = math::rotation_exp({0, std::numbers::pi / 2, 0});
  const Geometry cube = box({1, 1, 1});
  const Geometry drum = test::shape(model::ShapeKind::kCylinder, {0.5, 1, 0});
  const std::vector<Resting> cases = {
      {"flush boxes", cube, at(0, 0, 1), cube, 4},
      {"half over", cube, at(0.5, 0, 1), cube, 4},
      {"turned", cube, {{0.1, 0, 1}, yaw}, cube, 4},
      {"turned by an eighth", cube, {{0, 0, 1}, eighth}, cube, 4},
      {"small on large", box({0.5, 0.5, 1}), at(0.1, 0.1, 1), cube, 4},
      {"on a plane", cube, at(0, 0, 0.5), plane(), 4},
      {"drum on a box", drum, at(0, 0, 1), box({3, 3, 1}), 4},
      {"drum on a drum", drum, at(0, 0, 1), drum, 4},
      {"drum on its side",
       drum,
       {{0, 0, 0.5 + 0.5 * std::cos(std::numbers::pi / 24)}, lying * math::rotation_exp({0, 0, std::numbers::pi / 24})},
       cube,
       4},
      {"capsule on a box", capsule(0.5, 2), {{0, 0, 1}, lying}, cube, 2},
      {"capsules side by side", capsule(0.5, 2), at(1, 0, 0.3), capsule(0.5, 2), 2},
      {"flush capsules", capsule(0.5, 2), at(1, 0, 0), capsule(0.5, 2), 2},
  };
  for (const Resting& c : cases) {
    SCOPED_TRACE(c.name);
    std::set<std::uint32_t> first;
    for (std::uint32_t key = 0; key < 100; ++key) {
      Random random(51, key);
      const Pose tremble{test::random_vector(random, 1e-6), math::rotation_exp(test::random_vector(random, 1e-6))};
      const std::vector<Touch> found = touches(c.a, tremble * c.X_WA, c.b, Pose{}, 1e-4);
      ASSERT_EQ(found.size(), c.points);
      if (key == 0) first = features(found);
      EXPECT_EQ(features(found), first);
      for (const Touch& touch : found) EXPECT_LT(std::abs(touch.gap), 1e-5);
    }
  }
}

TEST(Collide, FeaturesOfRandomPairsStayUnderSmallMotions) {
  const std::vector<Geometry> shapes = shapes_that_move();
  int stayed = 0;
  int all = 0;
  for (std::uint32_t key = 0; key < 1000; ++key) {
    Random random(52, key);
    const Geometry& a = shapes[random.below(static_cast<int>(shapes.size()))];
    const Geometry& b = shapes[random.below(static_cast<int>(shapes.size()))];
    const Pose X_WA = random_pose(random, 0.4);
    const Pose X_WB = random_pose(random, 0.4);
    const Pose tremble{test::random_vector(random, 1e-6), math::rotation_exp(test::random_vector(random, 1e-6))};
    const std::vector<Touch> here = touches(a, X_WA, b, X_WB, 0.1);
    if (here.empty()) continue;
    ++all;
    stayed += features(here) == features(touches(a, tremble * X_WA, b, X_WB, 0.1));
  }
  EXPECT_GT(all, 500);
  // Somewhere features must change; a motion of 1e-6 finds such a place once in many thousand pairs.
  EXPECT_GE(stayed, all - 1);
}

}  // namespace
}  // namespace espalier::geometry
