#include "espalier/geometry/detail/mesh_file.hpp"

#include <array>
#include <cstring>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/geometry/detail/mesh_tree.hpp"

namespace espalier::geometry {
namespace {

using Eigen::Vector3d;

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

}  // namespace
}  // namespace espalier::geometry
