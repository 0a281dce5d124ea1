#include "espalier/modes/test/structure_support.hpp"

namespace espalier::modes {
namespace {

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
