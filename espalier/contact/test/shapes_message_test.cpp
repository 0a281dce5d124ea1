#include <gtest/gtest.h>

#include "espalier/contact/detail/body_data.hpp"
#include "espalier/contact/test/scenes.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;

BodyShapes sent_and_taken(const BodyShapes& shapes) {
  comm::Parcel parcel;
  put_shapes(shapes, parcel);
  comm::ParcelReader reader(parcel.bytes());
  BodyShapes taken = take_shapes(reader);
  EXPECT_TRUE(reader.at_end());
  return taken;
}

SceneShape with_everything(geometry::Geometry geometry) {
  SceneShape shape;
  shape.geometry = std::move(geometry);
  shape.pose.position = {1, -2, 3};
  shape.pose.rotation = Eigen::AngleAxisd(0.3, Vector3d(1, 2, 2) / 3);
  shape.friction = 0.25;
  shape.restitution = 0.75;
  return shape;
}

void expect_same(const SceneShape& a, const SceneShape& b) {
  EXPECT_EQ(a.geometry.kind, b.geometry.kind);
  EXPECT_EQ(a.geometry.size, b.geometry.size);
  EXPECT_EQ(a.pose.position, b.pose.position);
  EXPECT_EQ(a.pose.rotation.coeffs(), b.pose.rotation.coeffs());
  EXPECT_EQ(a.friction, b.friction);
  EXPECT_EQ(a.restitution, b.restitution);
}

TEST(Shapes, OfNoPartsArriveWithEveryBit) {
  geometry::Geometry capsule;
  capsule.kind = geometry::Geometry::Kind::kCapsule;
  capsule.size = {1.0 / 3, 2, 0};
  const BodyShapes shapes = {with_everything(capsule), with_everything({})};
  const BodyShapes taken = sent_and_taken(shapes);
  ASSERT_EQ(taken.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) expect_same(taken[k], shapes[k]);
  EXPECT_EQ(taken[0].geometry.polyhedron, nullptr);
  EXPECT_TRUE(sent_and_taken({}).empty());
}

TEST(Shapes, PolyhedraArriveWhole) {
  const BodyShapes shapes = {with_everything({}), with_everything(*geometry::make_geometry(box_shape({1, 2, 3})))};
  const BodyShapes taken = sent_and_taken(shapes);
  ASSERT_EQ(taken.size(), 2u);
  expect_same(taken[1], shapes[1]);
  const geometry::Polyhedron &a = *taken[1].geometry.polyhedron, &b = *shapes[1].geometry.polyhedron;
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.normals, b.normals);
  EXPECT_EQ(a.offsets, b.offsets);
  EXPECT_EQ(a.rim_begin, b.rim_begin);
  EXPECT_EQ(a.rim, b.rim);
  EXPECT_EQ(a.rim_edge, b.rim_edge);
  ASSERT_EQ(a.edges.size(), b.edges.size());
  for (std::size_t k = 0; k < a.edges.size(); ++k) {
    EXPECT_EQ(a.edges[k].vertex, b.edges[k].vertex);
    EXPECT_EQ(a.edges[k].face, b.edges[k].face);
    EXPECT_EQ(a.edges[k].id, b.edges[k].id);
  }
  EXPECT_EQ(a.centre, b.centre);
  EXPECT_EQ(a.inner_radius, b.inner_radius);
}

TEST(Shapes, MeshesArriveWithTheirTree) {
  geometry::TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}};
  mesh.beyond = {{-1, -1, -1}};
  mesh.ring_begin = {0, 2, 4, 6};
  mesh.ring = {1, 2, 2, 0, 0, 1};
  mesh.nodes = {{{0, 0, -1}, {1, 1, 1}, 0, 1}};
  mesh.order = {0};
  geometry::Geometry geometry;
  geometry.kind = geometry::Geometry::Kind::kMesh;
  geometry.mesh = std::make_shared<const geometry::TriangleMesh>(mesh);
  const BodyShapes shapes = sent_and_taken({with_everything(geometry)});
  const geometry::TriangleMesh& taken = *shapes.front().geometry.mesh;
  EXPECT_EQ(taken.vertices, mesh.vertices);
  EXPECT_EQ(taken.triangles, mesh.triangles);
  EXPECT_EQ(taken.beyond, mesh.beyond);
  EXPECT_EQ(taken.ring_begin, mesh.ring_begin);
  EXPECT_EQ(taken.ring, mesh.ring);
  ASSERT_EQ(taken.nodes.size(), 1u);
  EXPECT_EQ(taken.nodes[0].low, Vector3d(0, 0, -1));
  EXPECT_EQ(taken.nodes[0].high, Vector3d(1, 1, 1));
  EXPECT_EQ(taken.nodes[0].count, 1);
  EXPECT_EQ(taken.order, mesh.order);
}

}  // namespace
}  // namespace espalier::contact::detail
