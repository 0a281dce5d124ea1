#include <vector>

#include <gtest/gtest.h>

#include "espalier/formats/test/sdf_support.hpp"

namespace espalier::formats {
namespace {

using namespace sdf_test;
using Eigen::Vector3d;
using model::ModelSpec;

TEST(SdfLink, InertiaIsTurnedIntoTheLinkAndMissingOnesAreSaid) {
  const ModelSpec spec =
      read(model_text(R"(<link name='a'><inertial><pose>1 2 3 0 0 1.5707963267948966</pose><mass>4</mass>
    <inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz><ixy>.1</ixy><ixz>.2</ixz><iyz>.3</iyz></inertia></inertial></link>)"));
  const model::BodySpec& a = body(spec, "a");
  EXPECT_EQ(a.mass, 4.0);
  expect_near(*a.com, {1, 2, 3});
  // A quarter about z: x -> y, y -> -x.
  Eigen::Matrix3d expected;
  expected << 2, -.1, -.3, -.1, 1, .2, -.3, .2, 2.5;
  EXPECT_LE((*a.inertia - expected).norm(), 1e-12) << *a.inertia;
  const ModelSpec bare = read(model_text("<link name='a'/>"));
  EXPECT_EQ(body(bare, "a").mass, 1.0);
  EXPECT_TRUE(has_note(bare, "link 'a' has no <inertial>: SDF's default, 1 kg and 1 kg m^2 about each axis"));
}

TEST(SdfLink, ShapesKeepTheirRolesAndTwinsAreOne) {
  const ModelSpec spec = read(model_text(R"(<link name='a'>
    <visual name='v'><geometry><box><size>1 2 3</size></box></geometry><material/></visual>
    <collision name='v'><geometry><box><size>1 2 3</size></box></geometry></collision>
    <visual name='w'><pose>0 0 1 0 0 0</pose><geometry><mesh><uri>model://x/y.dae</uri><scale>2 2 2</scale></mesh></geometry></visual>
    <collision name='c'><geometry><capsule><radius>1</radius><length>2</length></capsule></geometry><surface/></collision>
    <collision name='d'><geometry><ellipsoid><radii>1 2 3</radii></ellipsoid></geometry></collision>
    <collision name='p'><geometry><plane><normal>1 0 0</normal></plane></geometry></collision>
    <collision name='h'><geometry><heightmap/></geometry></collision></link>)"));
  const std::vector<model::ShapeSpec>& shapes = body(spec, "a").shapes;
  ASSERT_EQ(shapes.size(), 5u);
  EXPECT_EQ(shapes[0].role, model::ShapeRole::kBoth);
  expect_near(shapes[0].size, {1, 2, 3});
  EXPECT_EQ(shapes[1].kind, model::ShapeKind::kMesh);
  EXPECT_EQ(shapes[1].file, "model://x/y.dae");
  EXPECT_EQ(shapes[1].role, model::ShapeRole::kVisual);
  expect_near(shapes[1].scale, {2, 2, 2});
  expect_near(shapes[2].size, {1, 2, 0});
  EXPECT_EQ(shapes[3].kind, model::ShapeKind::kEllipsoid);
  expect_near(shapes[4].pose.rotation * Vector3d::UnitZ(), {1, 0, 0});
  EXPECT_TRUE(has_note(spec, "<heightmap> in <geometry>: not read"));
  EXPECT_TRUE(has_note(spec, "<surface> in <collision>: not read"));
}

}  // namespace
}  // namespace espalier::formats
