#include <vector>

#include <gtest/gtest.h>

#include "espalier/formats/test/urdf_support.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats {
namespace {

using namespace urdf_test;
using Eigen::Vector3d;
using model::ModelSpec;

TEST(UrdfLinks, TurnsTheInertiaIntoTheLinkFrame) {
  const ModelSpec spec = read(R"(<link name="a"><inertial><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>
    <mass value="2"/><inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial></link>)");
  const model::BodySpec& a = body(spec, "a");
  EXPECT_EQ(*a.mass, 2);
  EXPECT_EQ(*a.com, Vector3d(1, 2, 3));
  // A quarter turn about z swaps x and y.
  EXPECT_LT((*a.inertia - Eigen::Matrix3d(Vector3d(2, 1, 2.5).asDiagonal())).norm(), 1e-15);
}

TEST(UrdfLinks, GivesALinkWithoutInertialNoMass) {
  const ModelSpec spec = read("<link name=\"a\"/>");
  EXPECT_EQ(*body(spec, "a").mass, 0);
  EXPECT_TRUE(body(spec, "a").inertia->isZero(0));
  EXPECT_TRUE(model::compile(spec));
}

TEST(UrdfLinks, ReadsShapesWithTheirRoles) {
  const ModelSpec spec = read(R"(<link name="a">
    <visual name="v"><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry></visual>
    <visual><geometry><mesh filename="package://x/y.stl" scale="2 2 2"/></geometry></visual>
    <collision><geometry><mesh filename="package://x/y.stl" scale="2 2 2"/></geometry></collision>
    <collision><geometry><cylinder radius="0.5" length="2"/></geometry></collision>
    <collision><geometry><capsule radius="0.25" length="3"/></geometry></collision>
    <collision><geometry><sphere radius="4"/></geometry></collision></link>)");
  const std::vector<model::ShapeSpec>& shapes = body(spec, "a").shapes;
  ASSERT_EQ(shapes.size(), 5u);
  EXPECT_EQ(shapes[0].kind, model::ShapeKind::kBox);
  EXPECT_EQ(shapes[0].role, model::ShapeRole::kVisual);
  EXPECT_EQ(shapes[0].name, "v");
  EXPECT_EQ(shapes[0].size, Vector3d(1, 2, 3));
  EXPECT_EQ(shapes[0].pose.position, Vector3d(0, 0, 1));
  EXPECT_EQ(shapes[1].kind, model::ShapeKind::kMesh);
  EXPECT_EQ(shapes[1].role, model::ShapeRole::kBoth);
  EXPECT_EQ(shapes[1].file, "package://x/y.stl");
  EXPECT_EQ(shapes[1].scale, Vector3d(2, 2, 2));
  EXPECT_EQ(shapes[2].kind, model::ShapeKind::kCylinder);
  EXPECT_EQ(shapes[2].size, Vector3d(0.5, 2, 0));
  EXPECT_EQ(shapes[3].kind, model::ShapeKind::kCapsule);
  EXPECT_EQ(shapes[4].kind, model::ShapeKind::kSphere);
}

}  // namespace
}  // namespace espalier::formats
