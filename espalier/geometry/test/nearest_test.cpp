#include <gtest/gtest.h>

#include "espalier/geometry/detail/convex.hpp"
#include "espalier/geometry/test/shapes.hpp"

namespace espalier::geometry::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::Pose;

Nearest nearest(const Geometry& a, const Geometry& b, const Pose& pose, const Vector3d& towards_b) {
  Scratch memory;
  const Convex moved_b = moved(as_convex(*b.polyhedron), pose.rotation.toRotationMatrix(), pose.position, memory);
  return find_nearest(as_convex(*a.polyhedron), moved_b, towards_b);
}

TEST(FindNearest, OfTwoCornersIsTheirDiagonal) {
  const Geometry cube = test::box({2, 2, 2});
  const Nearest found = nearest(cube, cube, test::at(3, 3, 3), {1, 0, 0});
  EXPECT_LT((found.on_a - Vector3d(1, 1, 1)).norm(), 1e-15);
  EXPECT_LT((found.on_b - Vector3d(2, 2, 2)).norm(), 1e-15);
  EXPECT_NEAR(found.distance, std::sqrt(3), 1e-15);
}

// A rod along x over the upper face of a cube, whose ends stick out: all that lies over the face is as near.
TEST(FindNearest, OfARodOverAFaceIsItsHeight) {
  const Geometry cube = test::box({2, 2, 2});
  const CapsuleCore rod({0.1, 3, 0});
  Scratch memory;
  const Matrix3d along_x = Eigen::AngleAxisd(EIGEN_PI / 2, Vector3d::UnitY()).toRotationMatrix();
  const Convex line = moved(rod.convex(), along_x, {0.3, 0.2, 1.7}, memory);
  const Nearest found = find_nearest(as_convex(*cube.polyhedron), line, Vector3d::UnitZ());
  EXPECT_NEAR(found.distance, 0.7, 1e-15);
  EXPECT_NEAR(found.on_a.z(), 1, 1e-15);
  EXPECT_NEAR(found.on_b.y(), 0.2, 1e-15);
}

// Wherever the walk starts it ends at the distance that trying all corners, edges and faces gives.
TEST(FindNearest, OfRandomHullsEqualsTryingAllFeatures) {
  int apart = 0;
  for (std::uint32_t key = 0; key < 300; ++key) {
    Random random(81, key);
    const Geometry a = test::random_hull(random, 9, 1);
    const Geometry b = test::random_hull(random, 7, 1);
    const Pose pose = test::random_pose(random, 1.6);
    const test::Solid solid_a(*a.polyhedron, Pose{});
    const test::Solid solid_b(*b.polyhedron, pose);
    const bool overlap = test::axis_separation(solid_a, solid_b) < 0;
    const double expected = overlap ? 0 : test::distance(solid_a, solid_b);
    SCOPED_TRACE(key);
    for (int start = 0; start < 3; ++start) {
      const Nearest found = nearest(a, b, pose, test::random_vector(random, 1));
      EXPECT_NEAR(found.distance, expected, 1e-12);
      if (overlap) continue;
      ++apart;
      EXPECT_NEAR((found.on_b - found.on_a).norm(), expected, 1e-12);
      EXPECT_LT(std::abs(test::height(solid_a, found.on_a)), 1e-9);
      EXPECT_LT(std::abs(test::height(solid_b, found.on_b)), 1e-9);
    }
  }
  EXPECT_GT(apart, 200);
}

}  // namespace
}  // namespace espalier::geometry::detail
