// Structures whose frequencies books give in closed form, found by the public path.

#include "espalier/modes/modes.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/modes/test/closed_forms.hpp"
#include "espalier/modes/test/model_parts.hpp"

namespace espalier::modes {
namespace {

using Eigen::Vector3d;
using model::BodyKind;
using model::JointType;

const char* const kFormula = "closed form";

// Of a round bar of radius r and length l: bending z^2 -> omega, waves beta -> omega.
double bending_unit(double r, double l) { return r / 2 / (l * l) * std::sqrt(kYoung / kDensity); }
double axial_unit(double l) { return std::sqrt(kYoung / kDensity) / l; }
double torsion_unit(double l) { return std::sqrt(kShear / kDensity) / l; }

TEST(ClosedForm, RoundCantileverInSpaceHasDoubleRoots) {
  model::ModelSpec spec = steel_spec("round cantilever", kSpace);
  spec.bodies = {round("bar", BodyKind::kBeam, {0, 0, 0}, {0.7, 0.9, -0.4}, 0.02)};
  clamp(spec, "bar", {0, 0, 0});
  const double l = Vector3d(0.7, 0.9, -0.4).norm();
  const std::vector<double> bending = squares(cantilever_numbers(14), bending_unit(0.02, l));
  expect_reference("round cantilever in space", kFormula, structure_of(spec),
                   joined({bending, bending, harmonics(8, 0.5, axial_unit(l)), harmonics(8, 0.5, torsion_unit(l))}), 24,
                   1e-12);
}

TEST(ClosedForm, FreeRoundBarInSpaceHasSixFreeMotions) {
  model::ModelSpec spec = steel_spec("free bar", kSpace);
  spec.bodies = {round("bar", BodyKind::kBeam, {0, 0, 0}, {0, 0, 1.5}, 0.03)};
  const std::vector<double> bending = squares(clamped_numbers(10), bending_unit(0.03, 1.5));
  expect_reference("free round bar in space", kFormula, structure_of(spec),
                   joined({std::vector(6, 0.0), bending, bending, harmonics(6, 0, axial_unit(1.5)),
                           harmonics(6, 0, torsion_unit(1.5))}),
                   24, 1e-12);
}

TEST(ClosedForm, FreeBeamInThePlaneHasThree) {
  model::ModelSpec spec = steel_spec("free beam", kPlane);
  spec.bodies = {round("bar", BodyKind::kBeam, {0, 0, 0}, {1, 1, 0}, 0.01)};
  const double l = std::sqrt(2.0);
  expect_reference("free beam in the plane", kFormula, structure_of(spec),
                   joined({std::vector(3, 0.0), squares(clamped_numbers(20), bending_unit(0.01, l)),
                           harmonics(5, 0, axial_unit(l))}),
                   19, 1e-12);
}

// o-~-o-~-o ... o, nothing holds it: 2 sqrt(k / m) sin(j pi / 2n).
TEST(ClosedForm, FreeTrainOfEqualMasses) {
  constexpr int kCars = 20;
  model::ModelSpec spec = weightless("train", {"x"});
  for (int k = 0; k < kCars; ++k) {
    const Vector3d at(k, 0, 0);
    spec.bodies.push_back(point_mass(fmt::format("car_{}", k), 3, at));
    if (k > 0) spring_x(spec, fmt::format("car_{}", k - 1), fmt::format("car_{}", k), at, 500);
  }
  std::vector<double> reference;
  for (int j = 0; j < kCars; ++j) reference.push_back(2 * std::sqrt(500.0 / 3) * std::sin(j * kPi / (2 * kCars)));
  reference.push_back(1e3);
  expect_reference("free train of 20 equal masses", kFormula, structure_of(spec), reference, kCars, 1e-12);
}

// Thirty equal oscillators on one mass: 29 combinations leave it at rest.
TEST(ClosedForm, ThirtyEqualOscillatorsAreOneFrequencyOf29) {
  constexpr int kCount = 30;
  const double m = 0.2, k = 80, M = 5, K = 400;
  model::ModelSpec spec = weightless("oscillators", {"x"});
  spec.bodies = {point_mass("table", M, {0, 0, 0})};
  spring_x(spec, "ground", "table", {0, 0, 0}, K);
  for (int j = 0; j < kCount; ++j) {
    const Vector3d at(0, j + 1, 0);
    spec.bodies.push_back(point_mass(fmt::format("mass_{}", j), m, at));
    spring_x(spec, "table", fmt::format("mass_{}", j), at, k);
  }
  // The rest moves as one: (K + n k - M w)(k - m w) = n k^2.
  const double a = M * m, b = -(M * k + m * (K + kCount * k)), c = k * K;
  std::vector<double> reference(kCount - 1, std::sqrt(k / m));
  const double root = std::sqrt(b * b - 4 * a * c);
  reference.insert(reference.end(), {std::sqrt(2 * c / (-b + root)), std::sqrt((-b + root) / (2 * a)), 1e3});
  expect_reference("30 equal oscillators on a mass", kFormula, structure_of(spec), reference, kCount + 1, 1e-12);
}

// Masses on a torus of 6 x 6, each joined to four neighbours: 37 loops, one frequency of multiplicity 10. Rounding
// blurs it.
TEST(ClosedForm, LatticeOnATorus) {
  constexpr int kSide = 6;
  model::ModelSpec spec = weightless("torus", {"x"});
  const auto name = [](int i, int j) { return fmt::format("m_{}_{}", i % kSide, j % kSide); };
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) spec.bodies.push_back(point_mass(name(i, j), 2, {0.1 * i, 0.1 * j, 0}));
  }
  std::vector<double> reference = {1e3};
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      spring_x(spec, name(i, j), name(i + 1, j), {0.1 * i, 0.1 * j, 0}, 50);
      spring_x(spec, name(i, j), name(i, j + 1), {0.1 * i, 0.1 * j, 0}, 50);
      const double x = std::sin(kPi * i / kSide), y = std::sin(kPi * j / kSide);
      reference.push_back(2 * std::sqrt(50.0 / 2 * (x * x + y * y)));
    }
  }
  expect_reference("lattice of 36 masses on a torus", kFormula, structure_of(spec), reference, kSide * kSide, 1e-9);
}

TEST(ClosedForm, CantileverOfTwoHundredBeams) {
  constexpr int kBeams = 200;
  const double l = 5;
  model::ModelSpec spec = steel_spec("chain of beams", kPlane);
  for (int k = 0; k < kBeams; ++k) {
    const Vector3d from(l * k / kBeams, 0, 0), to(l * (k + 1) / kBeams, 0, 0);
    spec.bodies.push_back(round(fmt::format("b{}", k), BodyKind::kBeam, from, to, 0.02));
    if (k == 0) clamp(spec, "b0", from);
    if (k > 0) weld(spec, fmt::format("b{}", k - 1), fmt::format("b{}", k), from);
  }
  expect_reference("cantilever of 200 beams", kFormula, structure_of(spec),
                   joined({squares(cantilever_numbers(42), bending_unit(0.02, l)), harmonics(40, 0.5, axial_unit(l))}),
                   47, 1e-9);
}

// |o----o----|: a beam over three supports of equal spans is one pinned at both ends, or clamped and pinned.
TEST(ClosedForm, BeamOverThreeSupports) {
  model::ModelSpec spec = steel_spec("two spans", kBend);
  spec.bodies = {round("left", BodyKind::kBeam, {0, 0, 0}, {1, 0, 0}, 0.01),
                 round("right", BodyKind::kBeam, {1, 0, 0}, {2, 0, 0}, 0.01)};
  spec.joints = {joint_at("a", JointType::kRevolute, "ground", "left", {0, 0, 0}),
                 joint_at("b", JointType::kRevolute, "ground", "left", {1, 0, 0}),
                 joint_at("c", JointType::kRevolute, "ground", "right", {2, 0, 0})};
  weld(spec, "left", "right", {1, 0, 0});
  const double unit = bending_unit(0.01, 1);
  expect_reference("beam over three supports", kFormula, structure_of(spec),
                   joined({squares(harmonics(12, 0, 1), unit), squares(propped_numbers(12), unit)}), 20, 1e-12);
}

// Pinned at both ends, Timoshenko's beam has two frequencies for each sine, and one where all sections turn alike.
TEST(ClosedForm, PinnedTimoshenkoBeamHasTwoSpectra) {
  model::ModelSpec spec = steel_spec("Timoshenko, pinned", kBend);
  spec.bodies = {round("beam", BodyKind::kBeam, {0, 0, 0}, {1, 0, 0}, 0.06)};
  spec.bodies[0].beam->theory = model::BeamTheory::kTimoshenko;
  spec.bodies[0].beam->section.shear_factors = std::array{0.9, 0.9};
  spec.joints = {joint_at("a", JointType::kRevolute, "ground", "beam", {0, 0, 0}),
                 joint_at("b", JointType::kRevolute, "ground", "beam", {1, 0, 0})};
  const double A = kPi * 0.06 * 0.06, I = A * 0.06 * 0.06 / 4, mass = kDensity * A, spin = kDensity * I;
  const double EI = kYoung * I, g = 1 / (0.9 * kShear * A);
  std::vector<double> reference = {std::sqrt(1 / (g * spin))};
  for (int n = 1; n <= 40; ++n) {
    const double k2 = n * kPi * n * kPi, a = mass * spin * g, b = mass + EI * mass * g * k2 + spin * k2,
                 c = EI * k2 * k2;
    const double root = std::sqrt(b * b - 4 * a * c);
    reference.insert(reference.end(), {std::sqrt(2 * c / (b + root)), std::sqrt((b + root) / (2 * a))});
  }
  expect_reference("Timoshenko beam, pinned, two spectra", kFormula, structure_of(spec), reference, 40, 1e-10);
}

// The cantilever's equation of Huang (1961), below the frequency at which its sections turn by themselves.
TEST(ClosedForm, TimoshenkoCantilever) {
  model::ModelSpec spec = steel_spec("Timoshenko cantilever", kBend);
  spec.bodies = {round("beam", BodyKind::kBeam, {0, 0, 0}, {1, 0, 0}, 0.05)};
  spec.bodies[0].beam->theory = model::BeamTheory::kTimoshenko;
  spec.bodies[0].beam->section.shear_factors = std::array{0.88, 0.88};
  clamp(spec, "beam", {0, 0, 0});
  const long double A = kPi * 0.05L * 0.05L, I = A * 0.05L * 0.05L / 4;
  const long double r2 = I / A, s2 = kYoung * I / (0.88L * kShear * A), unit = std::sqrt(kYoung * I / (kDensity * A));
  const auto equation = [&](long double omega) {
    const long double b = omega / unit, sum = r2 + s2, root = std::sqrt((r2 - s2) * (r2 - s2) + 4 / (b * b));
    const long double alpha = std::sqrt((root - sum) / 2), beta = std::sqrt((root + sum) / 2);
    return 2 / std::cosh(b * alpha) + (b * b * (r2 - s2) * (r2 - s2) + 2) * std::cos(b * beta) -
           b * sum / std::sqrt(1 - b * b * r2 * s2) * std::tanh(b * alpha) * std::sin(b * beta);
  };
  const double limit = static_cast<double>(0.98L * unit / std::sqrt(r2 * s2));
  expect_reference("Timoshenko cantilever", kFormula, structure_of(spec), roots_between(equation, 10, limit, 4000), 9,
                   1e-11);
}

// Clamped shaft with a disc: beta tan beta = shaft's inertia / disc's.
TEST(ClosedForm, ShaftWithADisc) {
  model::ModelSpec spec = steel_spec("shaft with disc", {"rx"});
  spec.bodies = {round("shaft", BodyKind::kShaft, {0, 0, 0}, {0.8, 0, 0}, 0.01),
                 rigid("disc", 2, {0.8, 0, 0}, {0.004, 0.002, 0.002})};
  clamp(spec, "shaft", {0, 0, 0});
  weld(spec, "shaft", "disc", {0.8, 0, 0});
  const long double ratio = kDensity * kPi * std::pow(0.01L, 4) / 2 * 0.8L / 0.004L;
  const std::vector<double> beta =
      roots_between([&](long double b) { return b * std::sin(b) - ratio * std::cos(b); }, 0, 60, 2000);
  expect_reference("shaft with a disc", kFormula, structure_of(spec), scaled(beta, torsion_unit(0.8)), 15, 1e-12);
}

// Two discs on a free shaft: tan b (b^2 - p q) = b (p + q), p and q the ratios of the shaft's inertia to theirs.
TEST(ClosedForm, FreeShaftWithTwoDiscs) {
  model::ModelSpec spec = steel_spec("two discs", {"rx"});
  spec.bodies = {rigid("left", 1, {0, 0, 0}, {0.003, 0.002, 0.002}),
                 round("shaft", BodyKind::kShaft, {0, 0, 0}, {0.5, 0, 0}, 0.02),
                 rigid("right", 1, {0.5, 0, 0}, {0.001, 0.0008, 0.0008})};
  weld(spec, "left", "shaft", {0, 0, 0});
  weld(spec, "shaft", "right", {0.5, 0, 0});
  const long double own = kDensity * kPi * std::pow(0.02L, 4) / 2 * 0.5L, p = own / 0.003L, q = own / 0.001L;
  const auto equation = [&](long double b) { return std::sin(b) * (b * b - p * q) - b * (p + q) * std::cos(b); };
  expect_reference("free shaft with two discs", kFormula, structure_of(spec),
                   joined({{0}, scaled(roots_between(equation, 0.1, 50, 2000), torsion_unit(0.5))}), 13, 1e-12);
}

TEST(ClosedForm, RodWithATipMass) {
  model::ModelSpec spec = steel_spec("rod with mass", {"x"});
  spec.bodies = {round("rod", BodyKind::kRod, {0, 0, 0}, {2, 0, 0}, 0.01), point_mass("tip", 7, {2, 0, 0})};
  clamp(spec, "rod", {0, 0, 0});
  weld(spec, "rod", "tip", {2, 0, 0});
  const long double ratio = kDensity * kPi * 1e-4L * 2 / 7;
  const std::vector<double> beta =
      roots_between([&](long double b) { return b * std::sin(b) - ratio * std::cos(b); }, 0, 60, 2000);
  expect_reference("rod with a tip mass", kFormula, structure_of(spec), scaled(beta, axial_unit(2)), 15, 1e-12);
}

// Two rods of different area in a row: tan tan = ratio of areas where both are equally long.
TEST(ClosedForm, SteppedRod) {
  model::ModelSpec spec = steel_spec("stepped rod", {"x"});
  spec.bodies = {round("thick", BodyKind::kRod, {0, 0, 0}, {1, 0, 0}, 0.03),
                 round("thin", BodyKind::kRod, {1, 0, 0}, {2, 0, 0}, 0.02)};
  clamp(spec, "thick", {0, 0, 0});
  weld(spec, "thick", "thin", {1, 0, 0});
  const auto equation = [](long double b) { return 4 * std::sin(b) * std::sin(b) - 9 * std::cos(b) * std::cos(b); };
  expect_reference("stepped rod", kFormula, structure_of(spec),
                   scaled(roots_between(equation, 0, 40, 1000), axial_unit(1)), 20, 1e-12);
}

// A disc at the tip of a cantilever, with mass and moment of inertia.
TEST(ClosedForm, CantileverWithADiscAtItsTip) {
  model::ModelSpec spec = steel_spec("tip disc", kBend);
  spec.bodies = {round("beam", BodyKind::kBeam, {0, 0, 0}, {1, 0, 0}, 0.01),
                 rigid("disc", 1.5, {1, 0, 0}, {0.02, 0.01, 0.01})};
  clamp(spec, "beam", {0, 0, 0});
  weld(spec, "beam", "disc", {1, 0, 0});
  const long double mass = kDensity * kPi * 1e-4L;
  const auto equation = [&](long double z) {
    const long double w = z * z * z * z;
    return beam_equation(z, {true, true}, {false, false, -1.5L / mass * w, -0.01L / mass * w});
  };
  expect_reference("cantilever with a disc at its tip", kFormula, structure_of(spec),
                   squares(roots_between(equation, 0.1, 30, 3000), bending_unit(0.01, 1)), 8, 1e-11);
}

// A beam on springs at both ends, against displacement and rotation.
TEST(ClosedForm, BeamOnElasticSupports) {
  model::ModelSpec spec = steel_spec("elastic supports", kBend);
  spec.bodies = {round("beam", BodyKind::kBeam, {0, 0, 0}, {1, 0, 0}, 0.01)};
  hinge(spec, "ground", "beam", {0, 0, 0}, {0, 3e4, 0, 0, 0, 200});
  hinge(spec, "ground", "beam", {1, 0, 0}, {0, 1e5, 0, 0, 0, 900});
  const long double EI = kYoung * kPi * 1e-8L / 4;
  const auto equation = [&](long double z) {
    return beam_equation(z, {false, false, 3e4L / EI, 200 / EI}, {false, false, 1e5L / EI, 900 / EI});
  };
  expect_reference("beam on elastic supports", kFormula, structure_of(spec),
                   squares(roots_between(equation, 0.1, 30, 3000), bending_unit(0.01, 1)), 8, 1e-11);
}

// A free beam on a foundation: it bounces and tilts at one frequency, sqrt(k / rho A).
TEST(ClosedForm, FreeBeamOnAFoundation) {
  model::ModelSpec spec = steel_spec("foundation", kBend);
  spec.bodies = {round("beam", BodyKind::kBeam, {0, 0, 0}, {3, 0, 0}, 0.02)};
  spec.bodies[0].beam->foundation = 5e5;
  const double mass = kDensity * kPi * 4e-4;
  std::vector<double> reference = {std::sqrt(5e5 / mass), std::sqrt(5e5 / mass)};
  for (const double omega : squares(clamped_numbers(20), bending_unit(0.02, 3))) {
    reference.push_back(std::sqrt(omega * omega + 5e5 / mass));
  }
  expect_reference("free beam on a foundation", kFormula, structure_of(spec), reference, 17, 1e-12);
}

// A conical rod: u = f / (1 - x / h) with f'' + beta^2 f = 0. Segments are off by C / n^2, and twice extrapolated by
// little more than rounding.
TEST(ClosedForm, ConicalRodIsTheLimitOfItsSegments) {
  const double l = 1, h = 2;  // the tip is half as thick as the foot
  const auto equation = [&](long double b) { return b * std::cos(b) * (h - l) + std::sin(b) * l; };
  const double exact = roots_between(equation, 1, 3, 100).at(0) * axial_unit(l);
  std::vector<double> omega;
  for (const int segments : {16, 32, 64}) {
    model::ModelSpec spec = steel_spec("conical rod", {"x"});
    spec.bodies = {round("cone", BodyKind::kRod, {0, 0, 0}, {l, 0, 0}, 0.02)};
    spec.bodies[0].beam->section.radius = {0.02, 0.01};
    spec.bodies[0].beam->segments = segments;
    clamp(spec, "cone", {0, 0, 0});
    ModesOptions options;
    options.count = 1;
    const Result<ModeSet> set = modes_below(structure_of(spec), options);
    ASSERT_TRUE(set.has_value());
    EXPECT_EQ(set->certainty, Certainty::kProved);
    omega.push_back(set->modes[0].s.imag());
  }
  EXPECT_NEAR((omega[0] - exact) / (omega[1] - exact), 4, 0.02);
  EXPECT_NEAR((omega[1] - exact) / (omega[2] - exact), 4, 0.005);
  const double once = (4 * omega[1] - omega[0]) / 3, again = (4 * omega[2] - omega[1]) / 3;
  EXPECT_NEAR((16 * again - once) / 15 / exact, 1, 1e-9);
}

// A wedge, clamped at its thick end: y = x^(-1/2) (J_1, Y_1, I_1, K_1)(k sqrt x), x from where it would be pointed.
TEST(ClosedForm, WedgeIsTheLimitOfItsSegments) {
  const double tip = 0.4;  // of the thickness at the foot, where x = 1 and length 0.6
  const auto equation = [&](long double k) {
    const auto J = [](int n, long double x) { return std::cyl_bessel_jl(n, x); };
    const auto Y = [](int n, long double x) { return std::cyl_neumannl(n, x); };
    const auto I = [](int n, long double x) { return std::cyl_bessel_il(n, x); };
    const auto K = [](int n, long double x) { return std::cyl_bessel_kl(n, x); };
    // y and y' at the foot; moment and shear at the tip, without common factors.
    const long double a = k, b = k * std::sqrt(static_cast<long double>(tip));
    Eigen::Matrix<long double, 4, 4> m;
    m << J(1, a), Y(1, a), I(1, a), K(1, a),    //
        -J(2, a), -Y(2, a), I(2, a), -K(2, a),  //
        J(3, b), Y(3, b), I(3, b), K(3, b),     //
        J(2, b), Y(2, b), I(2, b), -K(2, b);
    return m.determinant();
  };
  const double k = roots_between(equation, 2, 8, 600).at(0);
  const double foot = 0.05, unit = foot / std::sqrt(12.0) * std::sqrt(kYoung / kDensity);
  const double exact = k * k / 4 * unit;
  std::vector<double> omega;
  for (const int segments : {16, 32, 64}) {
    model::ModelSpec spec = steel_spec("wedge", kBend);
    model::BodySpec wedge = elastic("wedge", BodyKind::kBeam, {0, 0, 0}, {0.6, 0, 0}, "steel");
    wedge.beam->section.b = {0.03, 0.03};
    wedge.beam->section.h = {foot, foot * tip};
    wedge.beam->segments = segments;
    spec.bodies = {wedge};
    clamp(spec, "wedge", {0, 0, 0});
    ModesOptions options;
    options.count = 1;
    const Result<ModeSet> set = modes_below(structure_of(spec), options);
    ASSERT_TRUE(set.has_value());
    EXPECT_EQ(set->certainty, Certainty::kProved);
    omega.push_back(set->modes[0].s.imag());
  }
  EXPECT_NEAR((omega[0] - exact) / (omega[1] - exact), 4, 0.05);
  EXPECT_NEAR((omega[1] - exact) / (omega[2] - exact), 4, 0.02);
  const double once = (4 * omega[1] - omega[0]) / 3, again = (4 * omega[2] - omega[1]) / 3;
  EXPECT_NEAR((16 * again - once) / 15 / exact, 1, 1e-8);
}

}  // namespace
}  // namespace espalier::modes
