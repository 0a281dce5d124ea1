#include "espalier/geometry/detail/mesh_tree.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"

namespace espalier::geometry::detail {
namespace {

using Eigen::Vector3d;

// As an STL has it: each triangle with corners of its own.
TriangleMesh loose(const std::vector<std::array<Vector3d, 3>>& triangles) {
  TriangleMesh mesh;
  for (const auto& corners : triangles) {
    const int first = static_cast<int>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), corners.begin(), corners.end());
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

// n x n unit squares, two triangles each.
TriangleMesh floor_of(int n) {
  std::vector<std::array<Vector3d, 3>> triangles;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const Vector3d a(i, j, 0), b(i + 1, j, 0), c(i + 1, j + 1, 0), d(i, j + 1, 0);
      triangles.push_back({a, b, c});
      triangles.push_back({a, c, d});
    }
  }
  TriangleMesh mesh = loose(triangles);
  complete_mesh(mesh);
  return mesh;
}

TEST(CompleteMesh, JoinsEqualCornersAndDropsTrianglesWithoutArea) {
  const Vector3d a(0, 0, 0), b(1, 0, 0), c(0, 1, 0), d(0, 0, 1);
  TriangleMesh mesh = loose({{a, c, b}, {a, b, d}, {a, a, b}, {a, d, c}, {a, b, b + 1e-12 * c}, {b, c, d}});
  complete_mesh(mesh);
  EXPECT_EQ(mesh.triangles.size(), 4u);
  for (std::size_t t = 0; t < 4; ++t) EXPECT_GE(triangle_area(mesh, static_cast<int>(t)).norm(), 1);
  // A closed tetrahedron: beyond each edge lies the one corner that is not of the triangle, and around each corner of
  // it the other three.
  for (std::size_t t = 0; t < 4; ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int beyond = mesh.beyond[t][k];
      ASSERT_GE(beyond, 0);
      EXPECT_EQ(std::count(mesh.triangles[t].begin(), mesh.triangles[t].end(), beyond), 0);
      const int v = mesh.triangles[t][k];
      EXPECT_EQ(mesh.ring_begin[to_index(v) + 1] - mesh.ring_begin[to_index(v)], 3);
    }
  }
}

TEST(CompleteMesh, AnEdgeOfOneOrThreeTrianglesHasNoNeighbour) {
  const Vector3d a(0, 0, 0), b(0, 0, 1);
  TriangleMesh book = loose({{a, b, {1, 0, 0}}, {a, b, {0, 1, 0}}, {a, b, {-1, 0, 0}}});
  complete_mesh(book);
  ASSERT_EQ(book.triangles.size(), 3u);
  for (const std::array<int, 3>& beyond : book.beyond) EXPECT_EQ(beyond, (std::array<int, 3>{-1, -1, -1}));
  // Both ways round: one of the two triangles of a square may be drawn the wrong way.
  TriangleMesh square = loose({{a, b, {1, 0, 0}}, {a, b, {0, 1, 0}}});
  complete_mesh(square);
  for (std::size_t t = 0; t < 2; ++t) {
    EXPECT_EQ(std::count_if(square.beyond[t].begin(), square.beyond[t].end(), [](int v) { return v >= 0; }), 1);
  }
}

// Each triangle is in one leaf, each node bounds what is below it as tightly as can be, and no way down is longer than
// halving takes.
TEST(CompleteMesh, TheTreeHoldsEachTriangleOnceInTightBoxes) {
  for (const int n : {1, 3, 8, 21}) {
    const TriangleMesh mesh = floor_of(n);
    const std::size_t triangles = to_index(2 * n * n);
    ASSERT_EQ(mesh.triangles.size(), triangles);
    EXPECT_EQ(mesh.vertices.size(), to_index((n + 1) * (n + 1)));
    std::vector<int> seen(triangles, 0);
    const auto walk = [&](const auto& self, int node, int depth) -> std::array<Vector3d, 2> {
      EXPECT_LE(depth, 1 + std::ceil(std::log2(static_cast<double>(triangles))));
      const TriangleMesh::Node& at = mesh.nodes[to_index(node)];
      std::array<Vector3d, 2> box = {Vector3d::Constant(1e300), Vector3d::Constant(-1e300)};
      const auto include = [&](const Vector3d& low, const Vector3d& high) {
        box = {box[0].cwiseMin(low), box[1].cwiseMax(high)};
      };
      EXPECT_LE(at.count, 4);
      for (int k = 0; k < at.count; ++k) {
        const int t = mesh.order[to_index(at.first + k)];
        ++seen[to_index(t)];
        for (const int v : mesh.triangles[to_index(t)]) include(mesh.vertices[to_index(v)], mesh.vertices[to_index(v)]);
      }
      for (int child = 0; at.count == 0 && child < 2; ++child) {
        const std::array<Vector3d, 2> below = self(self, at.first + child, depth + 1);
        include(below[0], below[1]);
      }
      EXPECT_EQ(at.low, box[0]);
      EXPECT_EQ(at.high, box[1]);
      return box;
    };
    walk(walk, 0, 0);
    EXPECT_EQ(seen, std::vector<int>(triangles, 1));
  }
}

// Nothing is asked of a mesh without a triangle; the reader says so.
TEST(CompleteMesh, OfNothingIsNothing) {
  TriangleMesh mesh = loose({{Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(2, 0, 0)}});
  complete_mesh(mesh);
  EXPECT_TRUE(mesh.triangles.empty());
  EXPECT_TRUE(mesh.nodes.empty());
}

}  // namespace
}  // namespace espalier::geometry::detail
