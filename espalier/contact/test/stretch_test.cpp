#include "espalier/contact/detail/stretch.hpp"

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/contact/test/scenes.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// A cube of 1 m in the centre and a ball beside it, deformed by F.
LocalBody soft_body(const Matrix3d& F) {
  LocalBody local;
  local.body.constants.kind = Kind::kPseudoRigid;
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(local.body.q_mid.data() + 3) = F;
  BodyShapes shapes(2);
  shapes[0].geometry = *geometry::make_geometry(box_shape({1, 1, 1}));
  shapes[1].pose.position = {1, 0, 0};
  local.shapes = std::make_shared<const BodyShapes>(shapes);
  return local;
}

// In body axes the turn is gone and the stretch is left: 2 along x, a half along z.
TEST(StretchShapes, AreAsLongAsFMakesThem) {
  const Matrix3d turn = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 2) / 3).toRotationMatrix();
  LocalBody local = soft_body(turn * Vector3d(2, 1, 0.5).asDiagonal());
  stretch_shapes(local);
  ASSERT_NE(local.stretched, nullptr);
  const geometry::Geometry& box = shapes_of(local)[0].geometry;
  EXPECT_LT((box.size - Vector3d(1, 0.5, 0.25)).norm(), 1e-14);
  EXPECT_NEAR(box.polyhedron->inner_radius, 0.25, 1e-14);
  for (std::size_t f = 0; f < box.polyhedron->normals.size(); ++f) {
    const Vector3d& n = box.polyhedron->normals[f];
    EXPECT_NEAR(box.polyhedron->offsets[f], n.cwiseAbs().dot(Vector3d(1, 0.5, 0.25)), 1e-14);
  }
  // The ball keeps its form and goes where F takes its middle.
  EXPECT_LT((shapes_of(local)[1].pose.position - Vector3d(2, 0, 0)).norm(), 1e-14);
  EXPECT_EQ(shapes_of(local)[1].geometry.polyhedron, nullptr);
}

// A shear leans the faces: their normals go with the inverse transpose and stay across the edges.
TEST(StretchShapes, FacesHoldTheirVerticesAfterAShear) {
  Matrix3d shear = Matrix3d::Identity();
  shear(0, 2) = 0.5;
  LocalBody local = soft_body(shear);
  stretch_shapes(local);
  const geometry::Polyhedron& made = *shapes_of(local)[0].geometry.polyhedron;
  for (std::size_t f = 0; f < made.normals.size(); ++f) {
    EXPECT_NEAR(made.normals[f].norm(), 1, 1e-14);
    for (int k = made.rim_begin[f]; k < made.rim_begin[f + 1]; ++k) {
      EXPECT_NEAR(made.normals[f].dot(made.vertices[to_index(made.rim[to_index(k)])]), made.offsets[f], 1e-14);
    }
  }
}

TEST(StretchShapes, RigidBodiesAndThoseTurnedInsideOutKeepTheDrawnOnes) {
  LocalBody inside_out = soft_body(Vector3d(-1, 1, 1).asDiagonal());
  stretch_shapes(inside_out);
  EXPECT_EQ(inside_out.stretched, nullptr);
  EXPECT_EQ(&shapes_of(inside_out), inside_out.shapes.get());
  LocalBody rigid = soft_body(Matrix3d::Identity());
  rigid.body.constants.kind = Kind::kRigid;
  stretch_shapes(rigid);
  EXPECT_EQ(rigid.stretched, nullptr);
}

}  // namespace
}  // namespace espalier::contact::detail
