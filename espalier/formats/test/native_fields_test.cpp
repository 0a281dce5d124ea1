#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/formats/test/native_support.hpp"

namespace espalier::formats {
namespace {

using namespace native_test;
using model::ModelSpec;

// One length is 1 mm, one angle 1 degree: every quantity changes by the power its dimension has.
TEST(NativeFields, UnitsConvertEveryDimension) {
  const ModelSpec spec = read(R"(
espalier: 1
units: {length: mm, angle: deg}
gravity: [0, 0, -9810]
materials: {m: {density: 7.85e-6, E: 2.1e5}}
bodies:
  - {name: a, mass: 2, inertia: [3e6, 3e6, 3e6], pose: {position: [1000, 0, 0], rpy: [0, 0, 90]}}
joints:
  - {name: r, type: revolute, between: [ground, a], at: {position: [500, 0, 0]}, limits: [-90, 90], stiffness: 1000, friction: 1000, armature: 1e6}
  - {name: p, type: prismatic, between: [ground, a], at: {}, limits: [-10, 10], stiffness: 2, friction: 3}
couplings: [{joints: [r, p], ratio: [1, 2], offset: 4}]
forces:
  - {torque: {joint: r, value: "1000*t"}}
  - {motion: {joint: p, position: "10*t"}}
keyframes: [{name: k, positions: {r: 180, p: 1}}]
)");
  const double degree = std::numbers::pi / 180;
  EXPECT_DOUBLE_EQ(spec.gravity.z(), -9.81);
  EXPECT_DOUBLE_EQ(*spec.materials[0].density, 7850);
  EXPECT_DOUBLE_EQ(*spec.materials[0].young, 2.1e11);
  EXPECT_DOUBLE_EQ((*spec.bodies[0].inertia)(0, 0), 3);
  EXPECT_DOUBLE_EQ(spec.bodies[0].pose.position.x(), 1);
  EXPECT_NEAR(spec.bodies[0].pose.rotation.z(), std::sin(std::numbers::pi / 4), 1e-15);
  const model::JointSpec& r = spec.joints[0];
  EXPECT_DOUBLE_EQ(r.limits[0][1], std::numbers::pi / 2);
  EXPECT_DOUBLE_EQ(r.stiffness[0], 1.0 / degree);  // 1000 N mm/deg
  EXPECT_DOUBLE_EQ(r.friction[0], 1);
  EXPECT_DOUBLE_EQ(r.armature[0], 1);
  const model::JointSpec& p = spec.joints[1];
  EXPECT_DOUBLE_EQ(p.limits[0][1], 0.01);
  EXPECT_DOUBLE_EQ(p.stiffness[0], 2000);
  EXPECT_DOUBLE_EQ(p.friction[0], 3);
  // 1 q_r[deg] + 2 q_p[mm] = 4.
  EXPECT_DOUBLE_EQ(spec.couplings[0].ratio[0] * degree, 1);
  EXPECT_DOUBLE_EQ(spec.couplings[0].ratio[1] * 0.001, 2);
  EXPECT_DOUBLE_EQ(model::evaluate(std::get<model::LoadSpec>(spec.forces[0].law).value[0], 2), 2);
  EXPECT_DOUBLE_EQ(model::evaluate(std::get<model::MotionSpec>(spec.forces[1].law).value, 2), 0.02);
  EXPECT_DOUBLE_EQ(spec.keyframes[0].positions[0].second[0], std::numbers::pi);
  EXPECT_DOUBLE_EQ(spec.keyframes[0].positions[1].second[0], 0.001);
}

}  // namespace
}  // namespace espalier::formats
