#include <cmath>

#include "espalier/modes/test/held_block.hpp"

namespace espalier::modes {
namespace {

using Eigen::Vector3d;
using model::JointType;

TEST(Forces, SpringPullsAlongItsLine) {
  model::ModelSpec spec = held(JointType::kPrismatic, {0, 0, 0}, {1, 0, 0});
  model::SpringSpec spring;
  spring.a = "ground";
  spring.b = "block";
  spring.in_world = true;
  spring.point_a = {-3, 0, -4};
  spring.stiffness = 50;
  spring.damping = 2;
  spec.forces = {{"strut", spring, {}}};
  const Structure structure = structure_of(spec);
  EXPECT_EQ(count_laws<Hinge>(structure), 2);
  EXPECT_FALSE(std::get<Hinge>(element_named(structure, "strut").law).joint.valid());
  EXPECT_NEAR(FiniteElements(structure, 1).frequencies()[0], std::sqrt(50 * 0.36 / 2), 1e-12);
  spring.length = 4;
  spec.forces = {{"strut", spring, {}}};
  EXPECT_NE(error_of(spec).find("carries 50 N"), std::string::npos) << error_of(spec);
}

TEST(Forces, BushingActsInItsAxes) {
  model::ModelSpec spec = held(JointType::kPrismatic, {0, 0, 0}, {1, 0, 0});
  model::BushingSpec bushing;
  bushing.a = "ground";
  bushing.b = "block";
  bushing.in_world = true;
  bushing.frame = {Vector3d(1, 1, 1), math::rotation_with_z({1, 0, 0})};
  bushing.stiffness = {1e9, 1e9, 50, 0, 0, 0};
  spec.forces = {{"", bushing, {}}};
  const Structure structure = structure_of(spec);
  EXPECT_EQ(element_named(structure, "bushing_1").law.index(), 1u);
  EXPECT_NEAR(FiniteElements(structure, 1).frequencies()[0], std::sqrt(50 / 2.0), 1e-9);
}

TEST(Forces, WhatIsNotLinearIsRefused) {
  model::ModelSpec motion = held(JointType::kRevolute);
  motion.forces = {{"", model::MotionSpec{"joint", false, model::constant_expression(1)}, {}}};
  EXPECT_NE(error_of(motion).find("moved as a function of time"), std::string::npos);
  model::ModelSpec load = held(JointType::kFixed);
  load.forces = {{"",
                  model::LoadSpec{false,
                                  "",
                                  "block",
                                  {},
                                  false,
                                  {*model::parse_expression("sin(t)"), model::constant_expression(0),
                                   model::constant_expression(0)}},
                  {}}};
  EXPECT_NE(error_of(load).find("depends on time"), std::string::npos);
  model::ModelSpec servo = held(JointType::kRevolute);
  servo.forces = {
      {"", model::LoadSpec{true, "joint", "", {}, false, {*model::parse_expression("-3*q(joint)")}}, {}}};
  EXPECT_NE(error_of(servo).find("`stiffness` and `damping` of its controller"), std::string::npos);
  model::ModelSpec coupled = held(JointType::kRevolute);
  coupled.couplings = {{"", {"joint"}, {1}, 0, {}, {}}};
  EXPECT_NE(error_of(coupled).find("couplings"), std::string::npos);
  model::ModelSpec soft = held(JointType::kFixed);
  soft.bodies[0].kind = model::BodyKind::kPseudoRigid;
  EXPECT_NE(error_of(soft).find("pseudo-rigid"), std::string::npos);
  model::ModelSpec contact = held(JointType::kFixed);
  contact.contact.emplace();
  EXPECT_NE(error_of(contact).find("contact"), std::string::npos);
}

}  // namespace
}  // namespace espalier::modes
