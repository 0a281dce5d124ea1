#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "espalier/geometry/detail/mesh_tree.hpp"
#include "espalier/geometry/geometry.hpp"
#include "espalier/geometry/test/shapes.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::geometry {
namespace {

using Eigen::Vector3d;
using math::Pose;
using test::at;

Geometry mesh_of(std::vector<Vector3d> vertices, std::vector<std::array<int, 3>> triangles) {
  TriangleMesh mesh;
  mesh.vertices = std::move(vertices);
  mesh.triangles = std::move(triangles);
  detail::complete_mesh(mesh);
  Geometry geometry;
  geometry.kind = Geometry::Kind::kMesh;
  geometry.mesh = std::make_shared<const TriangleMesh>(std::move(mesh));
  return geometry;
}

// n x n squares of unit length about the origin, two triangles each, at height(x, y).
template <class Height>
Geometry terrain(int n, const Height& height) {
  std::vector<Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) vertices.emplace_back(i - n / 2.0, j - n / 2.0, height(i - n / 2.0, j - n / 2.0));
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const int v = j * (n + 1) + i;
      triangles.push_back({v, v + 1, v + n + 2});
      triangles.push_back({v, v + n + 2, v + n + 1});
    }
  }
  return mesh_of(vertices, triangles);
}
Geometry flat(int n) {
  return terrain(n, [](double, double) { return 0.0; });
}

std::vector<Touch> touches(const Geometry& a, const Pose& X_WA, const Geometry& b, double margin = 0) {
  std::vector<Touch> found;
  collide(a, X_WA, b, Pose{}, margin, found);
  std::set<std::uint32_t> features;
  for (const Touch& touch : found) {
    features.insert(touch.feature);
    EXPECT_NEAR(touch.normal.norm(), 1, 1e-14);
    EXPECT_TRUE(touch.point.allFinite());
  }
  EXPECT_EQ(features.size(), found.size());
  return found;
}

// The floor may be cut into triangles as it likes: shapes on it touch as on a plane.
TEST(CollideMesh, FlatMeshTouchesLikeAPlane) {
  const std::vector<Geometry> shapes = {test::sphere(0.5), test::box({1.3, 0.9, 1}), test::capsule(0.5, 1.5),
                                        test::shape(model::ShapeKind::kCylinder, {0.8, 1, 0})};
  const Eigen::Quaterniond lying = math::rotation_exp({0, std::numbers::pi / 2, 0});
  for (const int n : {2, 7, 20}) {
    const Geometry floor = flat(n);
    for (std::uint32_t key = 0; key < 200; ++key) {
      Random random(71, key);
      const Geometry& body = shapes[key % shapes.size()];
      const Eigen::Quaterniond turn = math::rotation_exp({0, 0, random.uniform(-3, 3)});
      const bool is_capsule = body.kind == Geometry::Kind::kCapsule;
      const double depth = random.uniform(-1e-3, 1e-2);
      const Pose pose{{random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0.5 - depth},
                      is_capsule ? turn * lying : turn};
      const std::vector<Touch> on_mesh = touches(body, pose, floor, 2e-3);
      const std::vector<Touch> on_plane = touches(body, pose, test::plane(), 2e-3);
      SCOPED_TRACE(key);
      ASSERT_EQ(on_mesh.size(), on_plane.size());
      for (const Touch& touch : on_mesh) {
        EXPECT_LT((touch.normal - Vector3d::UnitZ()).norm(), 1e-12);
        EXPECT_NEAR(touch.gap, -depth, 1e-12);
        EXPECT_NEAR(touch.point[2], -depth / 2, 1e-12);
      }
    }
  }
}

TEST(CollideMesh, BothSidesTouch) {
  const Geometry floor = flat(4);
  const std::vector<Touch> found = touches(test::sphere(0.5), at(0.2, 0.1, -0.45), floor);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT((found[0].normal + Vector3d::UnitZ()).norm(), 1e-15);
  EXPECT_NEAR(found[0].gap, -0.05, 1e-15);
  EXPECT_LT((touches(test::box({1, 1, 1}), at(0.2, 0.1, -0.45), floor)[0].normal + Vector3d::UnitZ()).norm(), 1e-14);
}

// Height -|x|: a ridge along y. Over it a sphere touches the ridge, beside it a slope.
TEST(CollideMesh, SphereRollsOverARidge) {
  const Geometry ridge = terrain(4, [](double x, double) { return -std::abs(x); });
  std::vector<Touch> found = touches(test::sphere(0.5), at(0, 0.3, 0.48), ridge);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT((found[0].normal - Vector3d::UnitZ()).norm(), 1e-14);
  EXPECT_LT((found[0].point - Vector3d(0, 0.3, -0.01)).norm(), 1e-14);
  const Vector3d slope = Vector3d(1, 0, 1).normalized();
  found = touches(test::sphere(0.5), {Vector3d(1, 0.3, -1) + 0.48 * slope, {}}, ridge);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT((found[0].normal - slope).norm(), 1e-14);
}

// Height |x|: a valley. A sphere in it touches both slopes and not the line between them.
TEST(CollideMesh, SphereInAValleyTouchesBothSlopes) {
  const Geometry valley = terrain(4, [](double x, double) { return std::abs(x); });
  const std::vector<Touch> found = touches(test::sphere(0.5), at(0, 0.3, 0.5 * std::sqrt(2) - 0.01), valley);
  ASSERT_EQ(found.size(), 2u);
  for (const Touch& touch : found) {
    EXPECT_NEAR(std::abs(touch.normal[0]), std::sqrt(0.5), 1e-14);
    EXPECT_NEAR(touch.normal[2], std::sqrt(0.5), 1e-14);
    EXPECT_NEAR(touch.gap, -0.01 * std::sqrt(0.5), 1e-14);
  }
}

// A box whose corner hangs a little over the next triangle, deeper than it hangs over: sidewards would be nearer.
TEST(CollideMesh, EdgesBetweenTrianglesDoNotStopABox) {
  const Geometry floor = flat(6);
  for (int k = -40; k <= 40; ++k) {
    const std::vector<Touch> found = touches(test::box({1, 1, 1}), at(0.5 + 1e-4 * k, 0.25, 0.49), floor);
    ASSERT_EQ(found.size(), 4u);
    for (const Touch& touch : found) EXPECT_LT((touch.normal - Vector3d::UnitZ()).norm(), 1e-12);
  }
}

// The rim of a floor is an edge of its own.
TEST(CollideMesh, RimPushesSidewards) {
  const std::vector<Touch> found = touches(test::box({1, 1, 1}), at(1.49, 0.1, 0.2), flat(2));
  ASSERT_FALSE(found.empty());
  for (const Touch& touch : found) {
    EXPECT_LT((touch.normal - Vector3d::UnitX()).norm(), 1e-12);
    EXPECT_NEAR(touch.gap, -0.01, 1e-12);
  }
}

TEST(CollideMesh, RandomShapesAgreeWithTryingEveryTriangle) {
  const Geometry hills = terrain(8, [](double x, double y) { return 0.3 * std::sin(2 * x) * std::cos(3 * y); });
  const TriangleMesh& mesh = *hills.mesh;
  for (std::uint32_t key = 0; key < 200; ++key) {
    Random random(72, key);
    const Vector3d centre = test::random_vector(random, 3).cwiseProduct(Vector3d(1, 1, 0.3));
    double least = 1e300;
    for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
      std::vector<Vector3d> face;
      for (const int v : mesh.triangles[t]) face.push_back(mesh.vertices[v]);
      least = std::min(least, test::point_face(centre, face, detail::triangle_area(mesh, t).normalized()));
    }
    const std::vector<Touch> found = touches(test::sphere(0.3), {centre, {}}, hills, 0.1);
    if (least - 0.3 > 0.1 + 1e-12) {
      EXPECT_TRUE(found.empty());
      continue;
    }
    double gap = 1e300;
    for (const Touch& touch : found) gap = std::min(gap, touch.gap);
    EXPECT_NEAR(gap, least - 0.3, 1e-13);
    // What has corners and edges is sound, too.
    touches(test::box({0.5, 0.4, 0.3}), {centre, test::random_rotation(random)}, hills, 0.05);
    touches(test::capsule(0.1, 0.5), {centre, test::random_rotation(random)}, hills, 0.05);
  }
}

TEST(CollideMesh, NamedTheOtherWayRoundTheNormalsAloneTurn) {
  const Geometry hills = terrain(8, [](double x, double y) { return 0.3 * std::sin(2 * x) * std::cos(3 * y); });
  for (std::uint32_t key = 0; key < 100; ++key) {
    Random random(73, key);
    const Pose pose = test::random_pose(random, 0.5);
    const Geometry body = test::box({1, 0.8, 0.6});
    std::vector<Touch> one, other;
    collide(body, pose, hills, Pose{}, 0.05, one);
    collide(hills, Pose{}, body, pose, 0.05, other);
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t k = 0; k < one.size(); ++k) {
      EXPECT_EQ(one[k].point, other[k].point);
      EXPECT_EQ(one[k].normal, -other[k].normal);
      EXPECT_EQ(one[k].feature, other[k].feature);
    }
  }
}

TEST(CollideMesh, BoxKeepsItsPointsAsItSlides) {
  const Geometry floor = flat(20);
  std::set<std::uint32_t> first;
  for (int k = 0; k < 200; ++k) {
    const std::vector<Touch> found = touches(test::box({1.3, 0.9, 1}), at(0.013 * k - 1, 0.007 * k, 0.499), floor);
    std::set<std::uint32_t> features;
    for (const Touch& touch : found) features.insert(touch.feature);
    if (k == 0) first = features;
    EXPECT_EQ(features, first);
  }
}

}  // namespace
}  // namespace espalier::geometry
