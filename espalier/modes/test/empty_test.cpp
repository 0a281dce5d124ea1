#include "espalier/modes/test/structure_support.hpp"

namespace espalier::modes {
namespace {

using model::JointType;

// Nothing resists the end of a rod across it, and nothing weighs there: no frequency, and no singular equations.
TEST(EmptyDirections, AreTakenAwayOrHeld) {
  model::ModelSpec spec = weightless("rod", {"x", "y", "z", "rx", "ry", "rz"});
  spec.materials = {material("steel", 7850, 2.1e11)};
  spec.bodies = {elastic("rod", model::BodyKind::kRod, {0, 0, 0}, {2, 0, 0}, "steel")};
  spec.bodies[0].beam->section.b = spec.bodies[0].beam->section.h = {0.01, 0.01};
  spec.joints = {joint_at("clamp", JointType::kFixed, "ground", "rod", {0, 0, 0})};
  EXPECT_EQ(vertex_named(structure_of(spec), "rod.to").moves, directions({"x"}));
  const double omega = FiniteElements(structure_of(spec), 8).frequencies()[0];

  spec.bodies[0].beam->to = {1.2, 1.6, 0};
  const Structure skew = structure_of(spec);
  EXPECT_EQ(vertex_named(skew, "rod.to").moves, directions({"x", "y"}));
  EXPECT_GT(vertex_named(skew, "rod.to").stiffness.norm(), 0);
  const std::vector<double> skewed = FiniteElements(skew, 8).frequencies();
  EXPECT_EQ(skewed.size(), 8u);
  EXPECT_NEAR(skewed[0] / omega, 1, 1e-9);
}

TEST(EmptyDirections, PointMassDoesNotTurn) {
  model::ModelSpec spec = weightless("mass", {"x", "y", "z", "rx", "ry", "rz"});
  spec.bodies = {point_mass("mass", 2, {1, 0, 0})};
  spec.joints = {joint_at("spring", JointType::kFree, "ground", "mass", {1, 0, 0})};
  spec.joints[0].stiffness = {8, 18, 32, 0, 0, 0};
  const Structure structure = structure_of(spec);
  EXPECT_EQ(vertex_named(structure, "mass").moves, directions({"x", "y", "z"}));
  const std::vector<double> omega = FiniteElements(structure, 1).frequencies();
  ASSERT_EQ(omega.size(), 3u);
  EXPECT_NEAR(omega[0], 2, 1e-12);
  EXPECT_NEAR(omega[2], 4, 1e-12);
}

}  // namespace
}  // namespace espalier::modes
