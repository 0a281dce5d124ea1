#pragma once

// What collide() finds, and what is true of any answer of it.

#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/geometry/test/shapes.hpp"

namespace espalier::geometry::test {

inline std::vector<Touch> touches(const Geometry& a, const math::Pose& X_WA, const Geometry& b, const math::Pose& X_WB,
                                  double margin = 0) {
  std::vector<Touch> found;
  collide(a, X_WA, b, X_WB, margin, found);
  return found;
}

inline void expect_touch(const Touch& touch, const Vector3d& point, const Vector3d& normal, double gap) {
  EXPECT_LT((touch.point - point).norm(), 1e-14) << touch.point.transpose();
  EXPECT_LT((touch.normal - normal).norm(), 1e-14) << touch.normal.transpose();
  EXPECT_NEAR(touch.gap, gap, 1e-14);
}

inline double least_gap(const std::vector<Touch>& found) {
  double least = 1e300;
  for (const Touch& touch : found) least = std::min(least, touch.gap);
  return least;
}

inline std::set<std::uint32_t> features(const std::vector<Touch>& found) {
  std::set<std::uint32_t> set;
  for (const Touch& touch : found) set.insert(touch.feature);
  EXPECT_EQ(set.size(), found.size()) << "features of a pair must differ";
  return set;
}

inline void expect_sound(const std::vector<Touch>& found) {
  for (const Touch& touch : found) {
    EXPECT_TRUE(touch.point.allFinite());
    EXPECT_NEAR(touch.normal.norm(), 1, 1e-14);
    EXPECT_TRUE(std::isfinite(touch.gap));
  }
  features(found);
}

// Random pairs, most of them near each other: against all axes where they overlap and all features where they do not.
inline void expect_pair(const Geometry& a, const math::Pose& X_WA, const Geometry& b, const math::Pose& X_WB,
                        double margin) {
  const Solid solid_a(*a.polyhedron, X_WA);
  const Solid solid_b(*b.polyhedron, X_WB);
  const double axis = axis_separation(solid_a, solid_b);
  const double expected = axis < 0 ? axis : distance(solid_a, solid_b);
  const std::vector<Touch> found = touches(a, X_WA, b, X_WB, margin);
  const double bias = kFaceBias * std::min(a.polyhedron->inner_radius, b.polyhedron->inner_radius);
  ASSERT_LE(found.size(), 4u);
  if (expected > margin + 1e-9) {
    EXPECT_TRUE(found.empty());
  }
  if (expected < margin - 2 * bias) {
    EXPECT_FALSE(found.empty());
  }
  if (found.empty()) return;
  EXPECT_LE(least_gap(found), expected + 2 * bias);
  EXPECT_GE(least_gap(found), expected - 2 * bias);
  expect_sound(found);
  for (const Touch& touch : found) {
    EXPECT_LE(touch.gap, margin);
    EXPECT_LE(height(solid_a, touch.point), std::abs(touch.gap) / 2 + 1e-9);
    EXPECT_LE(height(solid_b, touch.point), std::abs(touch.gap) / 2 + 1e-9);
  }
}

}  // namespace espalier::geometry::test
