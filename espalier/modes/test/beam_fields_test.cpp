#include "espalier/modes/detail/beam_fields.hpp"

#include <cmath>
#include <complex>

#include <Eigen/Core>
#include <gtest/gtest.h>

namespace espalier::modes::detail {
namespace {

using Complex = std::complex<double>;

BeamLaw bending_law() {
  BeamLaw law;
  law.length = 2;
  law.EIz = law.EIy = 3;
  law.bend_y = 0;
  law.bend_z = 2;
  return law;
}

template <class T>
Eigen::Matrix<T, 4, 4> whole_of(const Field<T>& f) {
  Eigen::Matrix<T, 4, 4> out;
  out << f.A[0], f.A[1], f.B[0], f.B[1],  //
      f.A[2], f.A[3], f.B[2], f.B[3],     //
      f.C[0], f.C[1], f.D[0], f.D[1],     //
      f.C[2], f.C[3], f.D[2], f.D[3];
  return out;
}

// Without inertia m = m0 - f x, and theta and y are its integrals.
TEST(SetFields, AtRestABeamBendsAsAPolynomial) {
  Fields<double> fields;
  set_fields(bending_law(), Frequency<double>{0, 0}, fields);
  ASSERT_EQ(fields.count, 2);
  const double l = 2, EI = 3;
  Eigen::Matrix4d expected;
  expected << 1, l, -l * l * l / (6 * EI), l * l / (2 * EI),  //
      0, 1, -l * l / (2 * EI), l / EI,                        //
      0, 0, 1, 0,                                             //
      0, 0, -l, 1;
  EXPECT_LT((whole_of(fields.of[0]) - expected).cwiseAbs().maxCoeff(), 1e-15);
  const auto& k = fields.of[0].stiffness;
  EXPECT_NEAR(k[0], 12 * EI / (l * l * l), 1e-14);
  EXPECT_NEAR(k[1], 6 * EI / (l * l), 1e-14);
  EXPECT_NEAR(k[2], 6 * EI / (l * l), 1e-14);
  EXPECT_NEAR(k[3], 4 * EI / l, 1e-14);
  // Rotations about y carry z downwards.
  EXPECT_EQ(fields.of[1].first, 2);
  EXPECT_NEAR(fields.of[1].A[1], -l, 1e-15);
  EXPECT_NEAR(fields.of[1].D[2], l, 1e-15);
}

TEST(SetFields, ARodCarriesWavesOfItsLength) {
  BeamLaw law;
  law.length = 0.7;
  law.EA = 5;
  law.rho_A = 2;
  law.axial = 0;
  const double omega = 1.9, kappa = omega * std::sqrt(2 / 5.0), z = kappa * 0.7;
  Fields<double> fields;
  set_fields(law, Frequency<double>{0, -omega * omega}, fields);
  const Field<double>& f = fields.of[0];
  EXPECT_NEAR(f.A[0], std::cos(z), 1e-15);
  EXPECT_NEAR(f.B[0], std::sin(z) / (kappa * 5), 1e-15);
  EXPECT_NEAR(f.C[0], -kappa * 5 * std::sin(z), 1e-14);
  EXPECT_NEAR(f.D[0], std::cos(z), 1e-15);
  EXPECT_NEAR(f.stiffness[0], kappa * 5 / std::tan(z), 1e-14);
}

// (M3) has a Hamiltonian: its transfer matrix keeps e' t - t' e, with shear, rotary inertia and damping too.
TEST(SetFields, TransferKeepsThePairingOfForcesAndDisplacements) {
  BeamLaw law = bending_law();
  law.rho_A = 1.3, law.rho_Iz = 0.2, law.shear_y = 0.05, law.viscous = 0.4, law.foundation = 0.3;
  law.kelvin_voigt = 0.02;
  const Complex s(-0.2, 0.9);
  Fields<Complex> fields;
  set_fields(law, Frequency<Complex>{s, s * s}, fields);
  Eigen::Matrix4cd J = Eigen::Matrix4cd::Zero();
  J.topRightCorner<2, 2>().setIdentity();
  J.bottomLeftCorner<2, 2>() = -Eigen::Matrix2cd::Identity();
  const Eigen::Matrix4cd U = whole_of(fields.of[0]);
  EXPECT_LT((U.transpose() * J * U - J).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(SetFields, TwoSlicesAreTheWhole) {
  BeamLaw law = bending_law();
  law.rho_A = 1.3, law.rho_Iz = 0.2, law.shear_y = 0.05;
  Fields<double> whole, half;
  set_fields(law, Frequency<double>{0, -0.8}, whole);
  law.slices = 2;
  set_fields(law, Frequency<double>{0, -0.8}, half);
  const Eigen::Matrix4d U = whole_of(half.of[0]);
  EXPECT_LT((U * U - whole_of(whole.of[0])).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(SetFields, AHingeIsASpringInEachElasticDirection) {
  HingeLaw law;
  law.elastic = 1;
  law.stiffness = {4, 0};
  law.damping = {2, 0};
  Fields<Complex> fields;
  const Complex s(0, 3);
  set_fields(law, Frequency<Complex>{s, s * s}, fields);
  ASSERT_EQ(fields.count, 2);
  EXPECT_LT(std::abs(fields.of[0].B[0] - 1.0 / Complex(4, 6)), 1e-16);
  EXPECT_EQ(fields.of[1].B[0], Complex(0));
  EXPECT_TRUE(fields.of[1].rigid);
}

// lambda l = 3.3 is half as much again as a slice may have.
TEST(SlicesFor, CutsBendingWhereItsWavesAreTooLong) {
  BeamLaw law;
  law.length = law.EIz = law.rho_A = 1;
  law.bend_y = 0;
  EXPECT_EQ(slices_for(law, 3.3 * 3.3), 2);
  Beam beam;
  beam.length = beam.EIz = beam.rho_A = 1;
  beam.axial = beam.torsion = beam.bend_z = false;
  const double upto = uncut_upto(beam);
  EXPECT_NEAR(upto, 2.2 * 2.2, 1e-8);
  EXPECT_EQ(slices_for(law, upto), 1);
  EXPECT_EQ(slices_for(law, upto * (1 + 1e-6)), 2);
}

}  // namespace
}  // namespace espalier::modes::detail
