#include "espalier/modes/transfer.hpp"

#include <cmath>

#include <Eigen/LU>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "espalier/base/numbers.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

using LongComplex = std::complex<long double>;
using LongMatrix = Eigen::Matrix<LongComplex, 12, 12>;

Beam tube() {
  Beam beam = beam_of({6e-4, 4.5e-8, 2e-8, 7.8e-8, 2.1e11, 8.1e10, 7850}, 0.7);
  beam.rho_Iy = 7850 * 4.5e-8;
  beam.rho_Iz = 7850 * 2e-8;
  beam.shear_y = 1 / (0.83 * 8.1e10 * 6e-4);
  beam.shear_z = 1 / (0.71 * 8.1e10 * 6e-4);
  return beam;
}

Beam damped_tube() {
  Beam beam = tube();
  beam.viscous = 30;
  beam.kelvin_voigt = 2e-5;
  beam.foundation = 4e4;
  return beam;
}

// The state's derivative along the beam, as the signs of the header ask for it.
LongMatrix derivative(const Beam& beam, LongComplex s) {
  const LongComplex kv = LongComplex(1) + LongComplex(beam.kelvin_voigt) * s;
  const auto real = [](double v) { return LongComplex(v); };
  const LongComplex load = (real(beam.rho_A) * s + real(beam.viscous)) * s + real(beam.foundation);
  LongMatrix A = LongMatrix::Zero();
  A(0, 9) = -LongComplex(1) / (real(beam.EA) * kv);  // x' = -qx / EA
  A(9, 0) = -load;
  A(3, 6) = LongComplex(1) / (real(beam.GJ) * kv);  // rx' = mx / GJ
  A(6, 3) = real(beam.rho_Ip) * s * s;
  A(1, 5) = 1;  // y' = rz - shear qy
  A(1, 10) = -real(beam.shear_y) / kv;
  A(5, 8) = LongComplex(1) / (real(beam.EIz) * kv);  // rz' = mz / EI
  A(8, 5) = real(beam.rho_Iz) * s * s;               // mz' = rho I s^2 rz + qy
  A(8, 10) = 1;
  A(10, 1) = -load;  // qy' = -load y
  A(2, 4) = -1;      // z' = -ry - shear qz
  A(2, 11) = -real(beam.shear_z) / kv;
  A(4, 7) = LongComplex(1) / (real(beam.EIy) * kv);
  A(7, 4) = real(beam.rho_Iy) * s * s;
  A(7, 11) = -1;
  A(11, 2) = -load;
  return A;
}

// exp(A) by Taylor's series of a short slice, doubled; units of force are taken out so that its norm means something.
Transfer exponential(const Beam& beam, Complex s) {
  const double force = beam.EIz;
  Eigen::Matrix<LongComplex, 12, 1> scale, back;
  for (int i = 0; i < 12; ++i) {
    scale[i] = LongComplex(i < 6 ? 1 : force);
    back[i] = LongComplex(1) / scale[i];
  }
  const LongComplex exact(s.real(), s.imag());
  const int doublings = 14;
  const LongMatrix A = back.asDiagonal() * derivative(beam, exact) * scale.asDiagonal();
  const LongMatrix step = A * LongComplex(std::ldexp(beam.length, -doublings));
  LongMatrix term = LongMatrix::Identity(), sum = term;
  for (int k = 1; k < 30; ++k) {
    term = (term * step / LongComplex(k)).eval();
    sum += term;
  }
  for (int k = 0; k < doublings; ++k) sum = (sum * sum).eval();
  const LongMatrix out = scale.asDiagonal() * sum * back.asDiagonal();
  Transfer result;
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < 12; ++j) result(i, j) = Complex(double(out(i, j).real()), double(out(i, j).imag()));
  }
  return result;
}

// Difference in units in which all entries are comparable.
double relative_difference(const Transfer& a, const Transfer& b, double force) {
  Eigen::Matrix<double, 12, 1> scale;
  for (int i = 0; i < 12; ++i) scale[i] = i < 6 ? 1 : force;
  const Transfer left = scale.cwiseInverse().asDiagonal() * a * scale.asDiagonal();
  const Transfer right = scale.cwiseInverse().asDiagonal() * b * scale.asDiagonal();
  return (left - right).cwiseAbs().maxCoeff() / right.cwiseAbs().maxCoeff();
}

const std::vector<Complex> kPlaces = {{0, 0},   {0, 1e-3},    {0, 40},    {0, 900},    {0, 20000}, {-3, 0},
                                      {-7, 12}, {-200, 3000}, {50, 7000}, {-0.001, 0}, {800, 0}};

TEST(LocalTransfer, OfATimoshenkoBeamIsTheExponentialOfItsEquations) {
  for (const Complex s : kPlaces) {
    for (const Beam& beam : {tube(), damped_tube()}) {
      EXPECT_LT(relative_difference(local_transfer(beam, s), exponential(beam, s), beam.EIz), 1e-13) << s;
    }
  }
}

TEST(LocalTransfer, OfAnEulerBeamIsTheExponentialOfItsEquations) {
  for (const Complex s : kPlaces) {
    for (Beam beam : {tube(), damped_tube()}) {
      beam.rho_Iy = beam.rho_Iz = beam.shear_y = beam.shear_z = 0;
      EXPECT_LT(relative_difference(local_transfer(beam, s), exponential(beam, s), beam.EIz), 1e-13) << s;
    }
  }
}

// rho A s^2 + c s = 0: neither mass nor damper is felt, and the fourth root has its branch point.
TEST(LocalTransfer, HasNoGapWhereDampingAndMassCancel) {
  Beam beam = tube();
  beam.rho_Iy = beam.rho_Iz = beam.shear_y = beam.shear_z = 0;
  beam.viscous = 30;
  const Complex s = -beam.viscous / beam.rho_A;
  for (const double off : {0.0, 1e-12, 1e-6, 1e-2}) {
    EXPECT_LT(relative_difference(local_transfer(beam, s + off), exponential(beam, s + off), beam.EIz), 1e-13) << off;
  }
}

TEST(BendingTransfer, OfEulerEqualsTheGeneralForm) {
  for (const double length : {0.01, 0.3, 2.0}) {
    for (const Complex load : {Complex(0), Complex(1e-9), Complex(-3e4), Complex(-4e6), Complex(2e5, -7e5)}) {
      const BendingTransfer krylov = bending_transfer(length, 4200, load);
      const BendingTransfer general = bending_transfer(length, 4200, load, 0, 0);
      EXPECT_LT((krylov - general).norm(), 1e-12 * krylov.norm()) << length << " " << load;
    }
  }
}

// The foundation is chosen so that P^2 = Q^2 at a real frequency, and they are neighbours near it.
TEST(BendingTransfer, PassesADoubleRootOfTheGeneralForm) {
  const double EI = 4200, shear = 3e-8, length = 1.5;
  const double moment = -3e5;
  // (a - b)^2 = 4 load / EI with a = load shear, b = moment / EI: the larger solution of a quadratic in the load.
  const double b = moment / EI, p = -2 * (shear * b + 2 / EI) / (shear * shear), q = b * b / (shear * shear);
  const double load = q / (-0.5 * p + std::sqrt(0.25 * p * p - q));
  for (const double off : {0.0, 1e-12, 1e-6, 1e-3, 1e-2, 0.02, 0.05}) {
    const double at = load * (1 + off);
    const BendingTransfer whole = bending_transfer(length, EI, at, moment, shear);
    BendingTransfer parts = bending_transfer(length / 64, EI, at, moment, shear);
    for (int k = 0; k < 6; ++k) parts = (parts * parts).eval();
    EXPECT_LT((whole - parts).norm(), 1e-12 * whole.norm()) << off;
  }
}

TEST(Krylov, SeriesAndClosedFormMeet) {
  for (const double angle : {0.0, 0.7, 2.0, M_PI, -1.1}) {
    const Krylov inside = krylov(std::polar(15.9999999999, angle)), outside = krylov(std::polar(16.0000000001, angle));
    EXPECT_NEAR(std::abs(inside.S - outside.S), 0, 1e-10);
    EXPECT_NEAR(std::abs(inside.T - outside.T), 0, 1e-10);
    EXPECT_NEAR(std::abs(inside.U - outside.U), 0, 1e-10);
    EXPECT_NEAR(std::abs(inside.V - outside.V), 0, 1e-10);
  }
}

// A hinge with a spring, an elastic rotation and a rigid rest, its ends off the vertices, its axes askew.
Element skew_hinge() {
  Hinge hinge;
  hinge.kind = {Hinge::Kind::kElastic, Hinge::Kind::kRigid,   Hinge::Kind::kElastic,
                Hinge::Kind::kRigid,   Hinge::Kind::kElastic, Hinge::Kind::kRigid};
  hinge.stiffness = {3e4, 0, 200, 0, 50, 0};
  const Eigen::Matrix3d axes = axes_along({1, 2, -0.5}, {0, 1, 3});
  return {"hinge", hinge, {0, 1}, {port(axes, {0.3, -0.2, 0.1}), port(axes, {-0.4, 0, 0.25})}};
}

Element skew_beam(const Beam& beam) {
  const Eigen::Matrix3d axes = axes_along({0.2, -2, 1.5}, {1, 0, 3});
  return {"beam", beam, {0, 1}, {port(axes, {0.3, -0.2, 0.1}), port(axes, {-0.4, 0, 0.25})}};
}

Vertex body() {
  Vertex vertex = vertex_at({1, 2, 3}, kAll);
  Eigen::Matrix3d inertia;
  inertia << 0.4, 0.05, 0, 0.05, 0.6, 0.02, 0, 0.02, 0.7;
  vertex.mass = rigid_mass(2.5, {0.1, -0.3, 0.2}, inertia);
  return vertex;
}

double symplectic_error(const Transfer& U) {
  const Transfer omega = symplectic_form().cast<Complex>();
  const Transfer left = U.transpose() * omega * U;
  // Each entry is a sum of twelve products; their sizes are what rounding is measured by.
  const Eigen::Matrix<double, 12, 12> size = U.cwiseAbs().transpose() * symplectic_form().cwiseAbs() * U.cwiseAbs();
  return ((left - omega).cwiseAbs().array() / (size.array() + 1)).maxCoeff();
}

TEST(Transfer, OfLosslessElementsKeepsThePairing) {
  EXPECT_TRUE(rc::check([] {
    const double omega = *rc::gen::inRange(0, 5000) * 0.37;
    const Complex s(0, omega);
    RC_ASSERT(symplectic_error(transfer(skew_beam(tube()), s)) < 1e-12);
    RC_ASSERT(symplectic_error(transfer(skew_hinge(), s)) < 1e-12);
    RC_ASSERT(symplectic_error(transfer(body(), s)) < 1e-12);
  }));
}

TEST(Transfer, OfLosslessElementsHasDeterminantOne) {
  for (const double omega : {0.0, 3.0, 40.0, 300.0}) {
    const Complex s(0, omega);
    for (const Transfer& U : {transfer(skew_beam(tube()), s), transfer(skew_hinge(), s), transfer(body(), s)}) {
      EXPECT_LT(std::abs(U.determinant() - 1.0), 1e-9) << omega;
    }
  }
}

// Newton and Euler for a body with its output off its input, against the literature's 12 x 12.
TEST(Transfer, OfABodyWithAnArmIsTheLiteraturesMatrix) {
  const double mass = 2.5, omega = 3;
  const Eigen::Vector3d IC(0.1, -0.3, 0.2), IO(0.5, 0.4, -0.7);
  const Eigen::Matrix3d inertia = Eigen::Vector3d(0.4, 0.6, 0.7).asDiagonal();
  Vertex vertex = vertex_at({0, 0, 0}, kAll);
  vertex.mass = rigid_mass(mass, IC, inertia);
  const Transfer U =
      port_transfer(port(Eigen::Matrix3d::Identity(), IO)).cast<Complex>() * transfer(vertex, {0, omega});
  const Eigen::Matrix3d to_output = cross_matrix(IO), to_centre = cross_matrix(IC), one = Eigen::Matrix3d::Identity();
  const Eigen::Matrix3d about_input = inertia + mass * (IC.squaredNorm() * one - IC * IC.transpose());
  Eigen::Matrix<double, 12, 12> expected = Eigen::Matrix<double, 12, 12>::Identity();
  const double square = omega * omega;
  expected.block<3, 3>(0, 3) = -to_output;
  expected.block<3, 3>(6, 0) = mass * square * (to_output - to_centre);
  expected.block<3, 3>(6, 3) = -square * (mass * to_output * to_centre + about_input);
  expected.block<3, 3>(6, 9) = to_output;
  expected.block<3, 3>(9, 0) = mass * square * one;
  expected.block<3, 3>(9, 3) = -mass * square * to_centre;
  EXPECT_LT((U - expected.cast<Complex>()).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Transfer, ThroughHalvesIsThatOfTheWhole) {
  Beam half = damped_tube();
  half.length /= 2;
  for (const Complex s : kPlaces) {
    const Transfer slice = local_transfer(half, s);
    EXPECT_LT(relative_difference(slice * slice, local_transfer(damped_tube(), s), half.EIz), 1e-13) << s;
  }
}

// bend_y bends along y, about z.
TEST(LocalTransfer, LeavesOutThePlaneThatABeamDoesNotCarry) {
  Beam flat = tube();
  flat.bend_z = false;
  Transfer expected = local_transfer(tube(), {0, 300});
  for (const int k : {2, 4, 7, 11}) {
    expected.row(k).setZero();
    expected(k, k) = 1;
  }
  EXPECT_TRUE(local_transfer(flat, {0, 300}).isApprox(expected, 1e-15));
  EXPECT_EQ(released({"flat", flat, {0, 1}, {}}), (Directions{false, false, true, false, true, false}));
}

TEST(Released, NamesWhatPassesNoForce) {
  EXPECT_EQ(released(rod_chain({1}).elements[0]), (Directions{false, true, true, true, true, true}));
  Element pin = skew_hinge();
  std::get<Hinge>(pin.law).kind[5] = Hinge::Kind::kReleased;
  EXPECT_EQ(released(pin), (Directions{false, false, false, false, false, true}));
}

}  // namespace
}  // namespace espalier::modes
