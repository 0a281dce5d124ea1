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

TEST(Beams, TwistNeedsAShearModulus) {
  model::ModelSpec spec = uniform_beam_spec("clamped-free");
  spec.active.reset();
  EXPECT_NE(error_of(spec).find("`G`"), std::string::npos);
  spec.materials[0].shear = 8.1e10;
  const Structure structure = structure_of(spec);
  const Beam& beam = std::get<Beam>(structure.elements[0].law);
  EXPECT_TRUE(beam.axial && beam.torsion && beam.bend_y && beam.bend_z);
  EXPECT_NEAR(beam.EIz, 2.1e11 * 0.03 * 8e-6 / 12, 1e-6);
  EXPECT_NEAR(beam.EIy, 2.1e11 * 0.02 * 27e-6 / 12, 1e-6);
  EXPECT_NEAR(beam.rho_Ip, 7850 * (0.03 * 8e-6 + 0.02 * 27e-6) / 12, 1e-12);
}

TEST(Beams, TimoshenkoShearsAndTurns) {
  model::ModelSpec spec = uniform_beam_spec("clamped-free");
  spec.materials[0].shear = 2.1e11 / 2.6;  // Poisson's ratio 0.3
  spec.bodies[0].beam->theory = model::BeamTheory::kTimoshenko;
  const Structure cowper = structure_of(spec);
  const double kappa = 10 * 1.3 / (12 + 11 * 0.3);
  const Beam& beam = std::get<Beam>(cowper.elements[0].law);
  EXPECT_NEAR(beam.shear_y * (kappa * 2.1e11 / 2.6 * 6e-4), 1, 1e-12);
  EXPECT_NEAR(beam.rho_Iz, 7850 * 0.03 * 8e-6 / 12, 1e-12);
  spec.bodies[0].beam->section.shear_factors = {0.8, 0.7};
  const Structure given = structure_of(spec);
  EXPECT_NEAR(std::get<Beam>(given.elements[0].law).shear_z * (0.7 * 2.1e11 / 2.6 * 6e-4), 1, 1e-12);
}

}  // namespace
}  // namespace espalier::modes
