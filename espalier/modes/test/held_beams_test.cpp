// An elastic body that joints hold between its ends, against the same one made of pieces welded there.

#include "espalier/modes/test/model_parts.hpp"
#include "espalier/modes/test/structure_support.hpp"

namespace espalier::modes {
namespace {

using model::BodyKind;
using model::JointType;

void expect_same_modes(const model::ModelSpec& one, const model::ModelSpec& pieces, double tolerance = 1e-9) {
  const std::vector<double> held = FiniteElements(structure_of(one), 4).frequencies();
  const std::vector<double> welded = FiniteElements(structure_of(pieces), 4).frequencies();
  ASSERT_EQ(held.size(), welded.size());
  ASSERT_GE(held.size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(held[k], welded[k], tolerance * welded[5]) << k;
}

TEST(HeldBeams, ABeamOnAPinOscillatesAsTwoBeamsWeldedThere) {
  model::ModelSpec one = steel_spec("one", kPlane);
  one.bodies = {flat_beam("boom", {0, 0, 0}, {2, 0, 0}, 0.02, 0.03)};
  clamp(one, "boom", {0, 0, 0});
  join(one, JointType::kRevolute, "ground", "boom", {0.7, 0, 0});
  model::ModelSpec pieces = steel_spec("pieces", kPlane);
  pieces.bodies = {flat_beam("a", {0, 0, 0}, {0.7, 0, 0}, 0.02, 0.03),
                   flat_beam("b", {0.7, 0, 0}, {2, 0, 0}, 0.02, 0.03)};
  clamp(pieces, "a", {0, 0, 0});
  weld(pieces, "a", "b", {0.7, 0, 0});
  join(pieces, JointType::kRevolute, "ground", "a", {0.7, 0, 0});
  expect_same_modes(one, pieces);
  EXPECT_EQ(count_laws<Beam>(structure_of(one)), 2);
  EXPECT_EQ(vertex_named(structure_of(one), "boom.0.7m").point, Eigen::Vector3d(0.7, 0, 0));
}

TEST(HeldBeams, RodsAndShaftsCarryBodiesBetweenTheirEnds) {
  for (const BodyKind kind : {BodyKind::kRod, BodyKind::kShaft}) {
    const std::vector<std::string> active = {kind == BodyKind::kRod ? "x" : "rx"};
    model::ModelSpec one = steel_spec("one", active);
    one.bodies = {round("bar", kind, {0, 0, 0}, {3, 0, 0}, 0.02), rigid("second", 4, {2, 0, 0}, {1, 1, 1}),
                  rigid("first", 2, {1.2, 0, 0}, {0.5, 0.5, 0.5})};
    clamp(one, "bar", {0, 0, 0});
    weld(one, "bar", "second", {2, 0, 0});
    weld(one, "bar", "first", {1.2, 0, 0});
    model::ModelSpec pieces = steel_spec("pieces", active);
    pieces.bodies = {round("a", kind, {0, 0, 0}, {1.2, 0, 0}, 0.02), round("b", kind, {1.2, 0, 0}, {2, 0, 0}, 0.02),
                     round("c", kind, {2, 0, 0}, {3, 0, 0}, 0.02), one.bodies[1], one.bodies[2]};
    clamp(pieces, "a", {0, 0, 0});
    weld(pieces, "a", "b", {1.2, 0, 0});
    weld(pieces, "b", "c", {2, 0, 0});
    weld(pieces, "b", "second", {2, 0, 0});
    weld(pieces, "first", "b", {1.2, 0, 0});
    expect_same_modes(one, pieces);
  }
}

// The pieces of both have the same sections: 16 on the whole are 4 and 12 on its parts.
TEST(HeldBeams, ATaperedBeamKeepsItsTaper) {
  const auto tapered = [](const std::string& name, double from, double to, int segments) {
    model::BodySpec body = flat_beam(name, {from, 0, 0}, {to, 0, 0}, 0.02, 0.03);
    const auto height = [](double x) { return 0.03 + 0.01 * x; };
    body.beam->section.h = {height(from), height(to)};
    body.beam->segments = segments;
    return body;
  };
  model::ModelSpec one = steel_spec("one", kBend);
  one.bodies = {tapered("boom", 0, 2, 16)};
  clamp(one, "boom", {0, 0, 0});
  spring_x(one, "ground", "boom", {0.5, 0, 0}, 0);
  one.joints.back().type = JointType::kFree;
  one.joints.back().stiffness = {0, 4e4, 0, 0, 0, 0};
  model::ModelSpec pieces = steel_spec("pieces", kBend);
  pieces.bodies = {tapered("a", 0, 0.5, 4), tapered("b", 0.5, 2, 12)};
  clamp(pieces, "a", {0, 0, 0});
  weld(pieces, "a", "b", {0.5, 0, 0});
  hinge(pieces, "ground", "b", {0.5, 0, 0}, {0, 4e4, 0, 0, 0, 0});
  expect_same_modes(one, pieces);
}

TEST(HeldBeams, ABeamClampedInTheMiddleHasTwoArms) {
  model::ModelSpec spec = steel_spec("seesaw", kBend);
  spec.bodies = {flat_beam("boom", {-1, 0, 0}, {1, 0, 0}, 0.02, 0.03)};
  clamp(spec, "boom", {0, 0, 0});
  const std::vector<double> found = FiniteElements(structure_of(spec), 8).frequencies();
  // Two cantilevers of a metre: 1.8751^2 sqrt(EI / rho A), each twice.
  const double omega = 1.8751040687 * 1.8751040687 * std::sqrt(kYoung * 0.03 * 0.03 / 12 / kDensity);
  EXPECT_NEAR(found[0] / omega, 1, 1e-4);
  EXPECT_NEAR(found[1] / omega, 1, 1e-4);
  EXPECT_GT(found[2] / omega, 6);
}

TEST(HeldBeams, ASpringMayActWhereAJointHolds) {
  model::ModelSpec spec = steel_spec("sprung", kPlane);
  spec.bodies = {flat_beam("boom", {0, 0, 0}, {2, 0, 0}, 0.02, 0.03), rigid("mass", 1, {1, 0, 0}, {1, 1, 1})};
  clamp(spec, "boom", {0, 0, 0});
  weld(spec, "boom", "mass", {1, 0, 0});
  model::SpringSpec spring{"ground", "boom", {1, 1, 0}, {1, 0, 0}, true, 1e4, 0, {}, 0, {}};
  spec.forces = {{"", spring, {}}};
  EXPECT_EQ(error_of(spec), "");
  std::get<model::SpringSpec>(spec.forces[0].law).point_b = {1.2, 0, 0};
  EXPECT_NE(error_of(spec).find("0.2 m away from its nearest end or joint"), std::string::npos);
}

TEST(Tubes, OscillateByTheMomentsOfTheirWall) {
  model::ModelSpec spec = steel_spec("tube", kSpace);
  spec.bodies = {flat_beam("boom", {0, 0, 0}, {2, 0, 0}, 0.04, 0.06)};
  spec.bodies[0].beam->section.wall = {0.002, 0.002};
  clamp(spec, "boom", {0, 0, 0});
  const Beam tube = std::get<Beam>(structure_of(spec).elements[0].law);
  EXPECT_NEAR(tube.rho_A, kDensity * (0.04 * 0.06 - 0.036 * 0.056), 1e-12);
  EXPECT_NEAR(tube.EIz, kYoung * (0.04 * std::pow(0.06, 3) - 0.036 * std::pow(0.056, 3)) / 12, 1e-6);
  EXPECT_NEAR(tube.EIy, kYoung * (0.06 * std::pow(0.04, 3) - 0.056 * std::pow(0.036, 3)) / 12, 1e-6);
  // 4 A^2 t / s + s t^3 / 3 with A and s of the middle of the wall.
  const double A = 0.038 * 0.058, s = 2 * (0.038 + 0.058);
  EXPECT_NEAR(tube.GJ, kShear * (4 * A * A * 0.002 / s + s * 8e-9 / 3), 1e-6);
}

// [Cowper66]: 20 (1 + nu) / (48 + 39 nu) for a thin square.
TEST(Tubes, ShearAsCowpersThinBoxes) {
  model::ModelSpec spec = steel_spec("tube", kSpace);
  spec.materials[0].shear = kYoung / 2.6;
  spec.bodies = {flat_beam("boom", {0, 0, 0}, {2, 0, 0}, 0.05, 0.05)};
  spec.bodies[0].beam->section.wall = {0.001, 0.001};
  spec.bodies[0].beam->theory = model::BeamTheory::kTimoshenko;
  clamp(spec, "boom", {0, 0, 0});
  const Beam tube = std::get<Beam>(structure_of(spec).elements[0].law);
  const double kappa = 20 * 1.3 / (48 + 39 * 0.3);
  EXPECT_NEAR(tube.shear_y * kappa * kYoung / 2.6 * (0.05 * 0.05 - 0.048 * 0.048), 1, 1e-12);
  EXPECT_EQ(tube.shear_y, tube.shear_z);
}

}  // namespace
}  // namespace espalier::modes
