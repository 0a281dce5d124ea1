#include "espalier/contact/detail/scene_links.hpp"

#include <gtest/gtest.h>

#include "espalier/contact/test/scenes.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;
using model::JointType;

// Two bodies of 2 kg; the centre of mass of the second lies 0.25 m above its origin.
model::ModelSpec two_bodies() {
  model::ModelSpec spec = ground_spec(0.5, 0);
  for (const char* name : {"a", "b"}) {
    model::BodySpec& body = add_body(spec, name, sphere_shape(0.1), {*name == 'a' ? 0.0 : 1.0, 0, 1});
    body.mass = 2;
    body.inertia = Vector3d(1, 1, 1).asDiagonal();
  }
  spec.bodies[2].com = Vector3d(0, 0, 0.25);
  return spec;
}

std::vector<Link> links_of(const model::ModelSpec& spec) { return compile_scene(spec).links; }

TEST(AddLinks, AHingeHoldsItsPointAndTwoDirections) {
  model::ModelSpec spec = two_bodies();
  add_joint(spec, JointType::kRevolute, "a", "b", at_point({0.5, 0, 1}));
  const std::vector<Link> links = links_of(spec);
  ASSERT_EQ(links.size(), 1u);
  EXPECT_EQ(links[0].kind, Link::Kind::kHold);
  EXPECT_EQ(links[0].a, 1);
  EXPECT_EQ(links[0].b, 2);
  EXPECT_EQ(links[0].held_point, (std::array<bool, 3>{true, true, true}));
  EXPECT_EQ(links[0].held_turn, (std::array<bool, 3>{true, true, false}));
  // From the centres of mass.
  EXPECT_EQ(links[0].on_a, (std::array<double, 3>{0.5, 0, 0}));
  EXPECT_EQ(links[0].on_b, (std::array<double, 3>{-0.5, 0, -0.25}));
  EXPECT_FALSE(links[0].slides);
}

TEST(AddLinks, ALawOnACoordinateIsARowOfItsOwn) {
  model::ModelSpec spec = two_bodies();
  model::JointSpec& joint = add_joint(spec, JointType::kPrismatic, "a", "b", at_point({0.5, 0, 1}));
  EXPECT_EQ(links_of(spec).size(), 1u);
  joint.stiffness = {7};
  joint.rest = {0.1};
  joint.limits = {{-1, 2}};
  const std::vector<Link> links = links_of(spec);
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[1].kind, Link::Kind::kCoordinate);
  EXPECT_EQ(links[1].law.stiffness, 7);
  EXPECT_EQ(links[1].law.rest, 0.1);
  EXPECT_EQ(links[1].law.low, -1);
  EXPECT_EQ(links[1].law.high, 2);
  EXPECT_TRUE(links[1].slides);
}

// The spring of a ball joint pulls at the rotation vector, its damper at the spin.
TEST(AddLinks, ABallJointHasARowForSpringsAndOneForTheRest) {
  model::ModelSpec spec = two_bodies();
  model::JointSpec& joint = add_joint(spec, JointType::kSpherical, "a", "b", at_point({0.5, 0, 1}));
  joint.stiffness = {3, 0, 0};
  joint.damping = {0.5, 0.5, 0};
  const std::vector<Link> links = links_of(spec);
  ASSERT_EQ(links.size(), 4u);
  EXPECT_FALSE(links[1].of_vector);
  EXPECT_EQ(links[1].law.stiffness, 0);
  EXPECT_EQ(links[1].law.damping, 0.5);
  EXPECT_TRUE(links[2].of_vector);
  EXPECT_EQ(links[2].law.stiffness, 3);
  EXPECT_EQ(links[2].law.damping, 0);
  EXPECT_EQ(links[3].coordinate, 1);
  EXPECT_FALSE(links[3].of_vector);
}

TEST(AddLinks, ARopeIsALawOnTheDistanceOfItsEnds) {
  model::ModelSpec spec = two_bodies();
  model::SpringSpec rope;
  rope.a = "a";
  rope.b = "b";
  rope.point_b = {0, 0, 0.25};
  rope.damping = 2;
  rope.limits = {{0, 1.5}};
  model::ForceSpec force;
  force.law = rope;
  spec.forces.push_back(force);
  const std::vector<Link> links = links_of(spec);
  ASSERT_EQ(links.size(), 1u);
  EXPECT_EQ(links[0].kind, Link::Kind::kSpring);
  EXPECT_EQ(links[0].law.high, 1.5);
  EXPECT_EQ(links[0].law.damping, 2);
  EXPECT_EQ(links[0].on_b, (std::array<double, 3>{0, 0, 0}));
}

// Between what stands nothing is solved, and a free joint holds nothing: its bodies may touch.
TEST(AddLinks, WhatHoldsNothingIsLeftOut) {
  model::ModelSpec spec = two_bodies();
  add_joint(spec, JointType::kFree, "a", "b");
  Scene scene = compile_scene(spec);
  EXPECT_TRUE(scene.links.empty());
  EXPECT_TRUE(scene.excluded.empty());
  spec.joints.clear();
  spec.bodies[1].kind = spec.bodies[2].kind = model::BodyKind::kObstacle;
  add_joint(spec, JointType::kFixed, "a", "b");
  EXPECT_TRUE(links_of(spec).empty());
}

}  // namespace
}  // namespace espalier::contact::detail
