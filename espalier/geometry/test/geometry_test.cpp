#include "espalier/geometry/geometry.hpp"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/geometry/detail/mesh_file.hpp"
#include "espalier/geometry/detail/mesh_tree.hpp"
#include "espalier/geometry/test/shapes.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::geometry {
namespace {

namespace fs = std::filesystem;
using Eigen::Vector3d;
using math::Pose;
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

TEST(MakeGeometry, OfABoxHasSixFacesOfFour) {
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

TEST(MakeGeometry, OfACubeAsAHullMergesItsTriangles) {
  std::vector<Vector3d> points = test::box({2, 2, 2}).polyhedron->vertices;
  points.emplace_back(0, 0, 1);
  points.emplace_back(0.5, 1, 1);
  const Geometry cube = test::hull(points);
  EXPECT_EQ(cube.kind, Geometry::Kind::kPolyhedron);
  EXPECT_EQ(cube.polyhedron->vertices.size(), 8u);
  EXPECT_EQ(cube.polyhedron->normals.size(), 6u);
  expect_polyhedron(*cube.polyhedron);
}

TEST(MakeGeometry, OfATurnedPrismMergesItsTriangles) {
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

TEST(MakeGeometry, OfRandomHullsIsAPolyhedron) {
  for (std::uint32_t key = 0; key < 50; ++key) {
    Random random(61, key);
    const Geometry hull = test::random_hull(random, 4 + random.below(40), 1);
    expect_polyhedron(*hull.polyhedron);
    EXPECT_GT(hull.polyhedron->inner_radius, 0);
  }
}

TEST(MakeGeometry, OfRoundShapesIsInscribed) {
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

Error error_of(const model::ShapeSpec& spec) {
  const Result<Geometry> geometry = make_geometry(spec);
  EXPECT_FALSE(geometry);
  return geometry ? Error{} : geometry.error();
}

TEST(MakeGeometry, NamesTheShapeThatCannotBe) {
  model::ShapeSpec spec;
  spec.where = {"pile.yaml", 12, 3};
  spec.kind = ShapeKind::kBox;
  spec.size = {1, 0, 1};
  EXPECT_EQ(to_string(error_of(spec)),
            "pile.yaml:12: a box of size 0 cannot touch anything; lengths are above 0 m and finite");
  spec.kind = ShapeKind::kSphere;
  for (const double bad :
       {-1.0, 0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    spec.size = {bad, 0, 0};
    EXPECT_EQ(error_of(spec).code, ErrorCode::kValue);
  }
  spec.kind = ShapeKind::kHull;
  spec.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  EXPECT_EQ(to_string(error_of(spec)),
            "pile.yaml:12: the 4 points of the hull lie in one plane; add points above or below it, or use a thin box");
  spec.points.push_back({0, 0, std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(error_of(spec).where.line, 12);
  spec.points.assign(5000, Vector3d(1, 2, 3));
  EXPECT_EQ(error_of(spec).code, ErrorCode::kLimit);
}

TEST(Bounds, AreTheSmallestBoxAroundTheShape) {
  for (std::uint32_t key = 0; key < 100; ++key) {
    Random random(62, key);
    const Pose pose = test::random_pose(random, 3);
    for (const Geometry& geometry : {test::box({1, 2, 3}), test::random_hull(random, 12, 1)}) {
      Vector3d low = Vector3d::Constant(1e300);
      Vector3d high = -low;
      for (const Vector3d& v : geometry.polyhedron->vertices) {
        low = low.cwiseMin(pose * v);
        high = high.cwiseMax(pose * v);
      }
      EXPECT_LT((bounds(geometry, pose).low - low).norm(), 1e-14);
      EXPECT_LT((bounds(geometry, pose).high - high).norm(), 1e-14);
    }
    const Box box = bounds(test::capsule(0.5, 2), pose);
    const Vector3d top = pose * Vector3d(0, 0, 1);
    const Vector3d bottom = pose * Vector3d(0, 0, -1);
    EXPECT_LT((box.high - (top.cwiseMax(bottom).array() + 0.5).matrix()).norm(), 1e-14);
    EXPECT_LT((box.low - (top.cwiseMin(bottom).array() - 0.5).matrix()).norm(), 1e-14);
    EXPECT_EQ(bounds(test::sphere(2), pose).low, (pose.position.array() - 2).matrix());
  }
}

TEST(Bounds, OfAPlaneEndWhereItStandsAcrossAnAxis) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Box floor = bounds(test::plane(), test::at(1, 2, 3));
  EXPECT_EQ(floor.high, Vector3d(infinity, infinity, 3));
  EXPECT_EQ(floor.low, Vector3d::Constant(-infinity));
  const Box tilted = bounds(test::plane(), {{0, 0, 0}, math::rotation_exp({0.1, 0, 0})});
  EXPECT_EQ(tilted.high, Vector3d::Constant(infinity));
  EXPECT_EQ(tilted.low, Vector3d::Constant(-infinity));
}

// A tetrahedron in the three formats.
const char* kTextStl = R"(solid corner
facet normal 0 0 -1
  outer loop
    vertex 0 0 0
    vertex 0 1 0
    vertex 1 0 0
  endloop
endfacet
facet normal 0 -1 0
  outer loop
    vertex 0 0 0
    vertex 1 0 0
    vertex 0 0 1
  endloop
endfacet
facet normal -1 0 0
  outer loop
    vertex 0 0 0
    vertex 0 0 1
    vertex 0 1 0
  endloop
endfacet
facet normal 1 1 1
  outer loop
    vertex 1 0 0
    vertex 0 1 0
    vertex 0 0 1
  endloop
endfacet
endsolid corner
)";
const char* kObj = R"(# a corner
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1 1.0
vn 0 0 1
f 1 3 2
f 1//1 2//1 4//1
f 1/1/1 4/1/1 3/1/1
f -3 -2 -1
)";

std::string binary_stl() {
  const std::vector<std::array<float, 9>> triangles = {{0, 0, 0, 0, 1, 0, 1, 0, 0},
                                                       {0, 0, 0, 1, 0, 0, 0, 0, 1},
                                                       {0, 0, 0, 0, 0, 1, 0, 1, 0},
                                                       {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  std::string bytes = "solid, says this header, although it is binary";
  bytes.resize(80, ' ');
  bytes.append({4, 0, 0, 0});
  for (const auto& triangle : triangles) {
    bytes.append(12, '\0');
    std::array<char, 36> corners;
    std::memcpy(corners.data(), triangle.data(), corners.size());
    bytes.append(corners.data(), corners.size());
    bytes.append(2, '\0');
  }
  return bytes;
}

TEST(ReadMesh, OfEachFormatIsTheSameTetrahedron) {
  const std::vector<std::pair<std::string, std::string>> files = {
      {kTextStl, "a.stl"}, {binary_stl(), "b.STL"}, {kObj, "c.obj"}};
  for (const auto& [text, name] : files) {
    Result<TriangleMesh> mesh = detail::parse_mesh(text, name, {2, 2, 2});
    ASSERT_TRUE(mesh) << to_string(mesh.error());
    detail::complete_mesh(*mesh);
    EXPECT_EQ(mesh->vertices.size(), 4u);
    EXPECT_EQ(mesh->triangles.size(), 4u);
    EXPECT_EQ(mesh->nodes[0].high, Vector3d(2, 2, 2));
    // All edges are convex: out of a triangle, the neighbour falls away behind it.
    for (int t = 0; t < 4; ++t) {
      for (int k = 0; k < 3; ++k) {
        EXPECT_LT((mesh->vertices[mesh->beyond[t][k]] - mesh->vertices[mesh->triangles[t][0]])
                      .dot(detail::triangle_area(*mesh, t)),
                  -1)
            << name;
      }
    }
  }
}

TEST(ReadMesh, NamesTheLineOfAMistake) {
  const auto message = [](const std::string& text, const std::string& name) {
    const Result<TriangleMesh> mesh = detail::parse_mesh(text, name, Vector3d::Ones());
    return mesh ? std::string("none") : to_string(mesh.error());
  };
  EXPECT_EQ(message("v 0 0 0\nv 1 nan 0\n", "x.obj"), "x.obj:2: 'nan' is no number that a vertex can have");
  EXPECT_EQ(message("v 0 0 0\nv 1 0\n", "x.obj"), "x.obj:2: a vertex needs 3 numbers, this has 2");
  EXPECT_EQ(message("v 0 0 0\nf 1 1 2\n", "x.obj"), "x.obj:2: '2' names none of the 1 vertex above it");
  EXPECT_EQ(message("v 0 0 0\nf 1 1 -2\n", "x.obj"), "x.obj:2: '-2' names none of the 1 vertex above it");
  EXPECT_EQ(message("v 0 0 0\nf 1 1 99999999999999999999\n", "x.obj").substr(0, 8), "x.obj:2:");
  EXPECT_EQ(message("v 0 0 0\nf 1 1\n", "x.obj"), "x.obj:2: a face needs 3 corners, this has 2");
  EXPECT_EQ(message("solid\nvertex 1 2 3\n", "x.stl"), "x.stl:2: a vertex stands outside of 'outer loop'");
  EXPECT_EQ(message("solid\nouter loop\nendloop\n", "x.stl"), "x.stl:3: a facet has 0 corners instead of 3");
  EXPECT_EQ(message("solid\nouter loop\nvertex 1 2 inf\n", "x.stl"),
            "x.stl:3: 'inf' is no number that a vertex can have");
  EXPECT_EQ(message("mesh", "x.ply"), "x.ply: a mesh is read from .stl and .obj files; convert it");
  std::string cut = binary_stl();
  cut.resize(cut.size() - 60);
  cut[0] = 'b';
  EXPECT_EQ(message(cut, "x.stl"),
            "x.stl: the file promises 4 triangles and holds 2: it was cut off; copy or export it again");
}

// Whatever is cut off, changed or added: a mesh or an error, and what comes out can be completed.
TEST(ReadMesh, SurvivesBrokenFiles) {
  const std::vector<std::pair<std::string, std::string>> files = {
      {kTextStl, "a.stl"}, {binary_stl(), "b.stl"}, {kObj, "c.obj"}};
  int meshes = 0;
  for (const auto& [text, name] : files) {
    for (std::uint32_t key = 0; key < 600; ++key) {
      Random random(63, key);
      std::string broken = text;
      if (key % 3 == 0) broken.resize(to_index(random.below(static_cast<int>(text.size()))));
      for (int k = 0; k < static_cast<int>(key % 5) && !broken.empty(); ++k) {
        broken[random.below(static_cast<int>(broken.size()))] = static_cast<char>(random.below(256));
      }
      Result<TriangleMesh> mesh = detail::parse_mesh(broken, name, Vector3d::Ones());
      if (!mesh) {
        EXPECT_FALSE(mesh.error().message.empty());
        continue;
      }
      ++meshes;
      detail::complete_mesh(*mesh);
      for (std::size_t t = 0; t < mesh->triangles.size(); ++t) {
        EXPECT_TRUE(detail::triangle_area(*mesh, static_cast<int>(t)).allFinite());
      }
    }
  }
  EXPECT_GT(meshes, 100);
}

TEST(MakeGeometry, ReadsAMeshBesideTheModelFile) {
  const fs::path folder = fs::path(testing::TempDir()) / "espalier_mesh_test";
  fs::create_directories(folder / "shapes");
  std::ofstream(folder / "shapes" / "corner.obj") << kObj;
  std::ofstream(folder / "shapes" / "empty.obj") << "v 0 0 0\nf 1 1 1\n";
  model::ShapeSpec spec;
  spec.kind = ShapeKind::kMesh;
  spec.where = {(folder / "scene.yaml").string(), 7, 1};
  spec.file = "shapes/corner.obj";
  spec.scale = {1, 2, 3};
  const Result<Geometry> geometry = make_geometry(spec);
  ASSERT_TRUE(geometry) << to_string(geometry.error());
  EXPECT_EQ(bounds(*geometry, test::at(1, 0, 0)).high, Vector3d(2, 2, 3));
  spec.file = (folder / "shapes" / "corner.obj").string();
  EXPECT_TRUE(make_geometry(spec));
  spec.file = "corner.obj";
  EXPECT_EQ(error_of(spec).where.line, 7);
  EXPECT_NE(error_of(spec).message.find("paths start at the folder of the model file"), std::string::npos);
  spec.file = "shapes";
  EXPECT_EQ(error_of(spec).code, ErrorCode::kFile);
  spec.file = "shapes/empty.obj";
  EXPECT_EQ(error_of(spec).message, "the mesh holds no triangle that has an area");
  spec.scale[1] = 0;
  EXPECT_EQ(error_of(spec).where.line, 7);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace espalier::geometry
