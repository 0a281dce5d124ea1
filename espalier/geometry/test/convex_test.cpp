#include "espalier/geometry/detail/convex.hpp"

#include <gtest/gtest.h>

#include "espalier/geometry/detail/mesh_tree.hpp"
#include "espalier/geometry/test/shapes.hpp"

namespace espalier::geometry::detail {
namespace {

using Eigen::Vector3d;

TriangleMesh mesh_of(std::vector<Vector3d> vertices, std::vector<std::array<int, 3>> triangles) {
  TriangleMesh mesh;
  mesh.vertices = std::move(vertices);
  mesh.triangles = std::move(triangles);
  complete_mesh(mesh);
  return mesh;
}

// Two triangles over the line x = 0, from there down (a roof) or up (a valley) by `slope`.
//
//     3           z |    /\        roof
//    /|\            |   /  \       |
//   0 | 2           |  /    \      |
//    \|/            +----------- x
//     1
TriangleMesh fold(double slope) {
  return mesh_of({{-1, 0, slope}, {0, -1, 0}, {1, 0, slope}, {0, 1, 0}}, {{0, 1, 3}, {2, 3, 1}});
}

int left_of(const TriangleMesh& mesh) { return mesh.vertices[mesh.triangles[0][0]].x() < 0 ? 0 : 1; }

// What the arcs of edges rest on: each edge is directed along the product of the normals left and right of it.
void expect_directed(const Convex& core) {
  for (const Polyhedron::Edge& edge : core.edges) {
    const Vector3d along = core.vertices[edge.vertex[1]] - core.vertices[edge.vertex[0]];
    const Vector3d product = core.normals[edge.face[0]].cross(core.normals[edge.face[1]]);
    EXPECT_NEAR(along.dot(product), along.norm() * product.norm(), 1e-12);
    EXPECT_GT(product.norm(), 0);
  }
}

// No corner lies over a face, and those of its rim lie in it.
void expect_faces(const Convex& core) {
  for (int f = 0; f < core.faces(); ++f) {
    for (const Vector3d& v : core.vertices) EXPECT_LE(core.normals[f].dot(v), core.offsets[f] + 1e-12);
    for (int k = core.rim_begin[f]; k < core.rim_begin[f + 1]; ++k) {
      EXPECT_NEAR(core.normals[f].dot(core.vertices[core.rim[k]]), core.offsets[f], 1e-12);
    }
  }
}

TEST(Convex, AMovedPolyhedronIsStillOne) {
  Random random(95);
  Scratch memory;
  for (int k = 0; k < 20; ++k) {
    const Geometry hull = test::random_hull(random, 10, 1);
    const math::Pose pose = test::random_pose(random, 3);
    const Convex before = as_convex(*hull.polyhedron);
    const Convex after = moved(before, pose.rotation.toRotationMatrix(), pose.position, memory);
    expect_faces(after);
    expect_directed(after);
    EXPECT_LT((after.centre - pose * before.centre).norm(), 1e-14);
    for (int f = 0; f < after.faces(); ++f) {
      EXPECT_GE(after.offsets[f] - after.normals[f].dot(after.centre), after.inner_radius - 1e-12);
    }
  }
}

TEST(Convex, ACapsuleIsALineWithRoundNormals) {
  const CapsuleCore capsule({0.3, 2, 0});
  const Convex core = capsule.convex();
  EXPECT_EQ(core.vertices[0], Vector3d(0, 0, -2));
  EXPECT_EQ(core.vertices[1], Vector3d(0, 0, 2));
  EXPECT_EQ(core.faces(), 0);
  EXPECT_EQ(core.thickness(), 0.3);
  expect_directed(core);
  // Four quarters close the circle.
  for (std::size_t e = 0; e < 4; ++e) EXPECT_EQ(core.edges[e].face[1], core.edges[(e + 1) % 4].face[0]);
}

TEST(Convex, ATriangleHasTwoFacesAndThreeSides) {
  const TriangleMesh mesh = mesh_of({{0, 0, 1}, {2, 0, 1}, {0, 1, 3}}, {{0, 1, 2}});
  const TriangleCore triangle(mesh, 0);
  const Convex core = triangle.convex();
  EXPECT_EQ(core.faces(), 2);
  EXPECT_EQ(core.thickness(), 0);
  expect_faces(core);
  expect_directed(core);
  // Out of the triangle, in its plane, across their edge.
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3d& side = core.normals[k + 2];
    const Vector3d& from = core.vertices[k];
    EXPECT_NEAR(side.dot(core.normals[0]), 0, 1e-15);
    EXPECT_NEAR(side.dot(core.vertices[(k + 1) % 3] - from), 0, 1e-15);
    EXPECT_GT(side.dot(from - core.centre), 0);
  }
}

// What slides from one triangle of a floor to the next must not be stopped by the edge between them; its rim does stop.
TEST(IsAllowed, OverTheRimOfAFloorAndNotOverItsInnerEdges) {
  const TriangleMesh floor = mesh_of({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}});
  for (int t = 0; t < 2; ++t) {
    const TriangleCore triangle(floor, t);
    const Convex core = triangle.convex();
    EXPECT_TRUE(is_allowed(core, core.normals[0]));
    EXPECT_TRUE(is_allowed(core, core.normals[1]));
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(is_allowed(core, core.normals[k + 2]), floor.beyond[t][k] < 0) << t << k;
    }
  }
}

// Normals that lean over from the left triangle to the right one by `lean`. On a roof those between the normals of both
// lead out. In a valley the right triangle stands in the way of all that the left one would push that far.
TEST(IsAllowed, BetweenTheNormalsOfARoofAndNotOfAValley) {
  for (const double slope : {-0.5, 0.5}) {
    const TriangleMesh mesh = fold(slope);
    const TriangleCore triangle(mesh, left_of(mesh));
    for (const double lean : {0.0, 0.2, 0.45, 0.55, 1.0}) {
      if (slope > 0 && lean < slope) continue;  // there the outer corner is what touches
      EXPECT_EQ(is_allowed(triangle.convex(), Vector3d(lean, 0, 1).normalized()), slope < 0 && lean < 0.5) << lean;
    }
  }
}

// The tip of a pyramid leads upwards; the middle of a floor of four triangles leads nowhere but along its normal.
TEST(IsAllowed, OnACornerWhereNoNeighbourRises) {
  for (const double height : {1.0, 0.0, -1.0}) {
    const TriangleMesh mesh = mesh_of({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, height}},
                                      {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}});
    const Vector3d leaning = Vector3d(0.1, 0.05, 1).normalized();
    int allowed = 0;
    for (int t = 0; t < 4; ++t) allowed += is_allowed(TriangleCore(mesh, t).convex(), leaning) ? 1 : 0;
    // All four triangles of the tip say yes; of a floor or a pit the corners of the rim that stand highest do: those of
    // the two triangles at (1, 1).
    EXPECT_EQ(allowed, height > 0 ? 4 : 2) << height;
  }
}

TEST(IsAllowed, AlwaysForWhatIsNoMesh) {
  const Geometry cube = test::box({1, 1, 1});
  EXPECT_TRUE(is_allowed(as_convex(*cube.polyhedron), Vector3d(0.6, 0.8, 0)));
}

}  // namespace
}  // namespace espalier::geometry::detail
