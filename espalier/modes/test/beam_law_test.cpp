#include "espalier/modes/detail/beam_law.hpp"

#include <gtest/gtest.h>

namespace espalier::modes::detail {
namespace {

Beam thick_beam() {
  Beam beam;
  beam.length = 3;
  beam.EA = 5, beam.GJ = 7, beam.EIy = 11, beam.EIz = 13;
  beam.rho_A = 2, beam.rho_Ip = 0.4, beam.rho_Iy = 0.1, beam.rho_Iz = 0.3;
  beam.shear_y = 0.02, beam.shear_z = 0.05;
  beam.viscous = 0.6, beam.kelvin_voigt = 1e-3, beam.foundation = 0.9;
  return beam;
}

TEST(BeamRows, FollowTheFieldsThatTheBeamCarries) {
  Beam beam = thick_beam();
  EXPECT_EQ(beam_rows(beam), (std::vector<int>{0, 3, 1, 5, 2, 4}));
  beam.torsion = beam.bend_z = false;
  EXPECT_EQ(beam_rows(beam), (std::vector<int>{0, 1, 5}));
}

// A unit of length changes no number without unit: the squared wave numbers times lengths.
TEST(MakeBeamLaw, UnitsOfLengthDropOut) {
  const Beam beam = thick_beam();
  const double part = 0.5, l = part * beam.length;
  for (const double unit : {1.0, 4.0}) {
    const BeamLaw law = make_beam_law(beam, part, unit, 1);
    const double x = law.length, x2 = x * x;
    EXPECT_NEAR(law.length, l / unit, 1e-15);
    EXPECT_NEAR(law.rho_A * x2 / law.EA, beam.rho_A * l * l / beam.EA, 1e-14);
    EXPECT_NEAR(law.rho_Ip * x2 / law.GJ, beam.rho_Ip * l * l / beam.GJ, 1e-14);
    EXPECT_NEAR(law.rho_A * x2 * x2 / law.EIz, beam.rho_A * l * l * l * l / beam.EIz, 1e-14);
    EXPECT_NEAR(law.rho_Iz * x2 / law.EIz, beam.rho_Iz * l * l / beam.EIz, 1e-14);
    EXPECT_NEAR(law.rho_Iy * x2 / law.EIy, beam.rho_Iy * l * l / beam.EIy, 1e-14);
    EXPECT_NEAR(law.shear_y * law.EIz / x2, beam.shear_y * beam.EIz / (l * l), 1e-14);
    EXPECT_NEAR(law.shear_z * law.EIy / x2, beam.shear_z * beam.EIy / (l * l), 1e-14);
    EXPECT_NEAR(law.viscous / law.rho_A, beam.viscous / beam.rho_A, 1e-15);
    EXPECT_NEAR(law.foundation / law.rho_A, beam.foundation / beam.rho_A, 1e-15);
    EXPECT_EQ(law.kelvin_voigt, beam.kelvin_voigt);
    // A force per length is one in any unit of rotation.
    EXPECT_NEAR(law.EA / x, beam.EA / l, 1e-14);
    EXPECT_NEAR(law.EIz / (x2 * x), beam.EIz / (l * l * l), 1e-14);
  }
}

TEST(MakeBeamLaw, NumbersDirectionsAsRows) {
  Beam beam = thick_beam();
  const BeamLaw all = make_beam_law(beam, 1, 1, 1);
  EXPECT_EQ(all.axial, 0);
  EXPECT_EQ(all.torsion, 1);
  EXPECT_EQ(all.bend_y, 2);
  EXPECT_EQ(all.bend_z, 4);
  beam.torsion = beam.bend_z = false;
  const BeamLaw plane = make_beam_law(beam, 1, 1, 1);
  EXPECT_EQ(plane.bend_y, 1);
  EXPECT_EQ(plane.torsion, -1);
  EXPECT_EQ(plane.bend_z, -1);
}

}  // namespace
}  // namespace espalier::modes::detail
