#include "espalier/geometry/detail/polyhedron.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/geometry/test/shapes.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::geometry {
namespace {

using Eigen::Vector3d;
using model::ShapeKind;

// Euler's formula, rims that turn outward, edges between two faces along the product of their normals, all vertices
// below all faces.
void expect_polyhedron(const Polyhedron& polyhedron) {
  const std::size_t faces = polyhedron.normals.size();
  EXPECT_EQ(polyhedron.vertices.size() + faces, polyhedron.edges.size() + 2);
  ASSERT_EQ(polyhedron.rim_begin.size(), faces + 1);
  EXPECT_EQ(polyhedron.rim.size(), 2 * polyhedron.edges.size());
  for (std::size_t f = 0; f < faces; ++f) {
    EXPECT_NEAR(polyhedron.normals[f].norm(), 1, 1e-14);
    for (const Vector3d& v : polyhedron.vertices) {
      EXPECT_LT(polyhedron.normals[f].dot(v), polyhedron.offsets[f] + 1e-9);
    }
    for (int k = polyhedron.rim_begin[f]; k < polyhedron.rim_begin[f + 1]; ++k) {
      EXPECT_NEAR(polyhedron.normals[f].dot(polyhedron.vertices[polyhedron.rim[k]]), polyhedron.offsets[f], 1e-6);
    }
    EXPECT_GE(polyhedron.offsets[f] - polyhedron.normals[f].dot(polyhedron.centre), polyhedron.inner_radius - 1e-12);
  }
  for (std::size_t e = 0; e < polyhedron.edges.size(); ++e) {
    const Polyhedron::Edge& edge = polyhedron.edges[e];
    EXPECT_EQ(edge.id, static_cast<int>(e));
    EXPECT_NE(edge.face[0], edge.face[1]);
    const Vector3d along = polyhedron.vertices[edge.vertex[1]] - polyhedron.vertices[edge.vertex[0]];
    EXPECT_GT(along.dot(polyhedron.normals[edge.face[0]].cross(polyhedron.normals[edge.face[1]])), 0);
    for (const int f : edge.face) {
      const auto begin = polyhedron.rim_edge.begin();
      EXPECT_EQ(std::count(begin + polyhedron.rim_begin[f], begin + polyhedron.rim_begin[f + 1], edge.id), 1);
    }
  }
}

TEST(Polyhedron, OfABoxHasSixFacesOfFour) {
  const Geometry box = test::box({2, 4, 6});
  EXPECT_EQ(box.kind, Geometry::Kind::kBox);
  EXPECT_EQ(box.size, Vector3d(1, 2, 3));
  expect_polyhedron(*box.polyhedron);
  EXPECT_EQ(box.polyhedron->normals.size(), 6u);
  EXPECT_EQ(box.polyhedron->rim.size(), 24u);
  EXPECT_EQ(box.polyhedron->inner_radius, 1);
  for (int f = 0; f < 6; ++f) {
    EXPECT_EQ(box.polyhedron->normals[f], Vector3d::Unit(f / 2) * (f % 2 ? 1 : -1));
  }
}

TEST(Polyhedron, OfACubeAsAHullMergesItsTriangles) {
  std::vector<Vector3d> points = test::box({2, 2, 2}).polyhedron->vertices;
  points.emplace_back(0, 0, 1);
  points.emplace_back(0.5, 1, 1);
  const Geometry cube = test::hull(points);
  EXPECT_EQ(cube.kind, Geometry::Kind::kPolyhedron);
  EXPECT_EQ(cube.polyhedron->vertices.size(), 8u);
  EXPECT_EQ(cube.polyhedron->normals.size(), 6u);
  expect_polyhedron(*cube.polyhedron);
}

TEST(Polyhedron, OfATurnedPrismMergesItsTriangles) {
  for (const int sides : {3, 5, 24, 60}) {
    std::vector<Vector3d> points;
    const Eigen::Quaterniond turn = math::rotation_exp({0.3, 0.7, 0.2});
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * std::numbers::pi * k / sides;
      for (const double z : {-1.0, 1.0}) points.push_back(turn * Vector3d(std::cos(angle), std::sin(angle), z));
    }
    const Geometry prism = test::hull(points);
    EXPECT_EQ(prism.polyhedron->normals.size(), to_index(sides) + 2);
    expect_polyhedron(*prism.polyhedron);
  }
}

TEST(Polyhedron, OfRandomHullsIsAPolyhedron) {
  for (std::uint32_t key = 0; key < 50; ++key) {
    Random random(61, key);
    const Geometry hull = test::random_hull(random, 4 + random.below(40), 1);
    expect_polyhedron(*hull.polyhedron);
    EXPECT_GT(hull.polyhedron->inner_radius, 0);
  }
}

TEST(Polyhedron, OfRoundShapesIsInscribed) {
  const Geometry cylinder = test::shape(ShapeKind::kCylinder, {2, 6, 0});
  expect_polyhedron(*cylinder.polyhedron);
  EXPECT_EQ(cylinder.polyhedron->normals.size(), 26u);
  for (const Vector3d& v : cylinder.polyhedron->vertices) {
    EXPECT_NEAR(v.head<2>().norm(), 2, 1e-14);
    EXPECT_EQ(std::abs(v[2]), 3);
  }
  const Vector3d radii(1, 2, 3);
  const Geometry ellipsoid = test::shape(ShapeKind::kEllipsoid, radii);
  expect_polyhedron(*ellipsoid.polyhedron);
  EXPECT_EQ(ellipsoid.polyhedron->vertices.size(), 162u);
  for (const Vector3d& v : ellipsoid.polyhedron->vertices) EXPECT_NEAR(v.cwiseQuotient(radii).norm(), 1, 1e-14);
  const Geometry capsule = test::capsule(0.5, 3);
  EXPECT_EQ(capsule.size, Vector3d(0.5, 1.5, 0));
}

}  // namespace
}  // namespace espalier::geometry
