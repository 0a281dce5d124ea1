#include "espalier/modes/test/structure_support.hpp"

namespace espalier::modes {
namespace {

using model::JointType;

// A bar under a pin; gravity as given.
model::ModelSpec pendulum(const Eigen::Vector3d& gravity) {
  model::ModelSpec spec = weightless("pendulum", {"x", "y", "z", "rx", "ry", "rz"});
  spec.gravity = gravity;
  spec.bodies = {point_mass("bob", 2, {0, -1, 0})};
  spec.bodies[0].kind = model::BodyKind::kRigid;
  spec.bodies[0].inertia = Eigen::Vector3d(0.1, 0.1, 0.1).asDiagonal();
  spec.joints = {joint_at("pin", JointType::kRevolute, "ground", "bob", {0, 0, 0})};
  return spec;
}

TEST(Weight, PendulumIsRefusedWithTheWayOut) {
  const std::string error = error_of(pendulum({0, -9.81, 0}));
  EXPECT_NE(error.find("pin"), std::string::npos) << error;
  EXPECT_NE(error.find("gravity: [0, 0, 0]"), std::string::npos) << error;
  EXPECT_EQ(error_of(pendulum({0, 0, 0})), "");
}

// About a vertical axis a weight does no work.
TEST(Weight, DoorOnVerticalHingesIsNoted) {
  const Structure structure = structure_of(pendulum({0, 0, -9.81}));
  ASSERT_EQ(structure.notes.size(), 1u);
  EXPECT_NE(structure.notes[0].message.find("gravity"), std::string::npos);
}

TEST(Weight, SpringAtThePinMakesItANote) {
  model::ModelSpec spec = pendulum({0, -9.81, 0});
  spec.joints[0].stiffness = {1e4};
  EXPECT_EQ(structure_of(spec).notes.size(), 1u);
}

TEST(Weight, WhatFallsFreelyWeighsNothing) {
  model::ModelSpec spec = pendulum({0, -9.81, 0});
  spec.bodies.push_back(spec.bodies[0]);
  spec.bodies[1].name = "second";
  spec.joints[0].a = "second";
  EXPECT_EQ(error_of(spec), "");
}

TEST(Weight, PinnedBeamStandsAndHangingBeamSwings) {
  model::ModelSpec stands = uniform_beam_spec("pinned-pinned");
  stands.gravity = {0, -9.81, 0};
  EXPECT_EQ(error_of(stands), "");
  model::ModelSpec swings = uniform_beam_spec("pinned-free");
  swings.gravity = {0, -9.81, 0};
  EXPECT_NE(error_of(swings), "");
}

TEST(Weight, SlidingDownIsRefused) {
  model::ModelSpec spec = pendulum({0, 0, -9.81});
  spec.joints[0].type = JointType::kPrismatic;
  EXPECT_NE(error_of(spec), "");
  spec.gravity = {0, -9.81, 0};
  EXPECT_EQ(error_of(spec), "");
}

}  // namespace
}  // namespace espalier::modes
