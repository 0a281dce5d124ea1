#include <cmath>

#include <gtest/gtest.h>

#include "espalier/formats/test/mjcf_support.hpp"

namespace espalier::formats {
namespace {

using namespace mjcf_test;
using Eigen::Vector3d;
using model::ModelSpec;

// A box of 2 x 4 x 6 cm half sizes at density 1000 and a point-like sphere of given mass beside it.
TEST(MjcfGeom, MassComesFromGeomsWhereThereIsNoInertial) {
  const ModelSpec spec = read(
      in_world("<body name='a'><geom type='box' size='.02 .04 .06'/><geom size='.001' mass='2' pos='1 0 0'/></body>"));
  const double box = 8 * 0.02 * 0.04 * 0.06 * 1000;
  EXPECT_NEAR(*spec.bodies[0].mass, box + 2, 1e-12);
  EXPECT_NEAR(spec.bodies[0].com->x(), 2 / (box + 2), 1e-12);
  const Vector3d half = {0.02, 0.04, 0.06};
  EXPECT_TRUE(spec.bodies[0].shapes[0].size.isApprox(2 * half));
  // Parallel axes: the reduced mass at distance 1 turns about y and z.
  EXPECT_NEAR((*spec.bodies[0].inertia)(2, 2),
              box / 3 * (0.02 * 0.02 + 0.04 * 0.04) + 0.4 * 2 * 1e-6 + box * 2 / (box + 2), 1e-12);
}

TEST(MjcfGeom, FromToPlacesACapsuleOnItsLine) {
  const ModelSpec spec = read(in_world(body("a", "<geom type='capsule' size='.1' fromto='0 0 0 3 0 4'/>")));
  const model::ShapeSpec& shape = spec.bodies[0].shapes[0];
  EXPECT_NEAR(shape.size[1], 5, 1e-12);
  EXPECT_TRUE(shape.pose.position.isApprox(Vector3d(1.5, 0, 2)));
  EXPECT_NEAR(std::abs((shape.pose.rotation * Vector3d::UnitZ()).dot(Vector3d(0.6, 0, 0.8))), 1, 1e-12);
}

TEST(MjcfGeom, GeomsThatTouchNothingAreOnlySeen) {
  const ModelSpec spec = read(
      in_world("<geom type='plane' size='0 0 1'/>" +
               body("a", "<geom size='1' contype='0' conaffinity='0'/><geom size='1'/><geom size='1' group='3'/>")));
  EXPECT_EQ(spec.bodies[0].name, "ground");
  EXPECT_EQ(spec.bodies[0].shapes[0].kind, model::ShapeKind::kPlane);
  EXPECT_EQ(spec.bodies[1].shapes[0].role, model::ShapeRole::kVisual);
  EXPECT_EQ(spec.bodies[1].shapes[1].role, model::ShapeRole::kBoth);
  EXPECT_EQ(spec.bodies[1].shapes[2].role, model::ShapeRole::kCollision);
}

}  // namespace
}  // namespace espalier::formats
