// Damped structures whose eigenvalues are known in closed form, found by the public path.

#include "espalier/modes/modes.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "espalier/modes/test/closed_forms.hpp"
#include "espalier/modes/test/hierarchic_elements.hpp"
#include "espalier/modes/test/model_parts.hpp"

namespace espalier::modes {
namespace {

using Complex = std::complex<double>;
using model::BodyKind;
using model::JointType;

const char* const kFormula = "closed form";

// Roots of s^2 + 2 g s + w^2 that are not below the real axis.
std::vector<Complex> roots_of(double g, double square) {
  const Complex root = std::sqrt(Complex(g * g - square, 0));
  if (root.imag() != 0) return {Complex(-g, std::abs(root.imag()))};
  return {-g - root.real(), g + root.real() != 0 ? -square / (g + root.real()) : 0.0};
}

ModesOptions region(double top, double decay) {
  ModesOptions options;
  options.max_frequency = top;
  options.max_decay = decay;
  return options;
}

// All eigenvalues of the region, each as often as it is multiple, and a certainty no less than this.
void expect_eigenvalues(const std::string& system, const Structure& structure, const std::vector<Complex>& all,
                        const ModesOptions& options, double tolerance, Certainty least,
                        const std::string& against = kFormula) {
  SCOPED_TRACE(system);
  const Result<ModeSet> set = modes_below(structure, options);
  ASSERT_TRUE(set.has_value()) << to_string(set.error());
  std::vector<Complex> expected;
  for (const Complex& s : all) {
    if (s.imag() <= options.max_frequency && -s.real() <= options.max_decay) expected.push_back(s);
  }
  Comparison row{system, against, 0, 0, 1, 0, set->certainty};
  for (const Mode& mode : set->modes) {
    row.modes += mode.multiplicity;
    int& most = mode.s == 0.0 ? row.free_motions : row.largest_multiplicity;
    most = std::max(most, mode.multiplicity);
    for (int k = 0; k < mode.multiplicity; ++k) {
      const auto nearest = std::min_element(expected.begin(), expected.end(), [&](Complex a, Complex b) {
        return std::abs(a - mode.s) < std::abs(b - mode.s);
      });
      ASSERT_NE(nearest, expected.end()) << "one too many: " << mode.s;
      const double error = std::abs(mode.s - *nearest) / (*nearest == 0.0 ? 1.0 : std::abs(*nearest));
      EXPECT_LE(error, tolerance) << mode.s << " against " << *nearest;
      row.largest_error = std::max(row.largest_error, error);
      expected.erase(nearest);
    }
  }
  EXPECT_TRUE(expected.empty()) << expected.size() << " missing, " << expected.front();
  EXPECT_LE(static_cast<int>(set->certainty), static_cast<int>(least)) << set->certificate;
  ComparisonTable::rows().push_back(row);
}

model::ModelSpec cantilever(double viscous, double kelvin_voigt) {
  model::ModelSpec spec = steel_spec("cantilever", kBend);
  spec.bodies = {round_beam("beam", {0, 0, 0}, {1, 0, 0}, 0.01)};
  spec.bodies[0].beam->viscous = viscous;
  spec.bodies[0].beam->kelvin_voigt = kelvin_voigt;
  clamp(spec, "beam", {0, 0, 0});
  return spec;
}
const double kMass = kDensity * kPi * 1e-4;                        // of a metre [kg/m]
const double kBendingUnit = 0.005 * std::sqrt(kYoung / kDensity);  // omega of z = 1

TEST(DampedSystems, ViscousCantilever) {
  std::vector<Complex> all;
  for (const double omega : squares(cantilever_numbers(12), kBendingUnit)) {
    for (const Complex& s : roots_of(30 / kMass / 2, omega * omega)) all.push_back(s);
  }
  expect_eigenvalues("cantilever in oil", structure_of(cantilever(30, 0)), all, region(6000, 6000), 1e-11,
                     Certainty::kProved);
}

TEST(DampedSystems, OverdampedCantilever) {
  std::vector<Complex> all;
  for (const double omega : squares(cantilever_numbers(12), kBendingUnit)) {
    for (const Complex& s : roots_of(2000 / kMass / 2, omega * omega)) all.push_back(s);
  }
  expect_eigenvalues("cantilever in honey, overdamped", structure_of(cantilever(2000, 0)), all, region(3000, 1000),
                     1e-10, Certainty::kProved);
}

TEST(DampedSystems, KelvinVoigtCantilever) {
  std::vector<Complex> all;
  const double eta = 1e-5;
  for (const double omega : squares(cantilever_numbers(12), kBendingUnit)) {
    for (const Complex& s : roots_of(eta * omega * omega / 2 + 10 / kMass / 2, omega * omega)) all.push_back(s);
  }
  expect_eigenvalues("rubber cantilever in oil", structure_of(cantilever(10, eta)), all, region(6000, 6000), 1e-11,
                     Certainty::kChecked);
}

TEST(DampedSystems, KelvinVoigtRod) {
  model::ModelSpec spec = steel_spec("rubber rod", {"x"});
  spec.bodies = {round("rod", BodyKind::kRod, {0, 0, 0}, {2, 0, 0}, 0.01)};
  spec.bodies[0].beam->kelvin_voigt = 1e-5;
  clamp(spec, "rod", {0, 0, 0});
  std::vector<Complex> all;
  for (const double omega : harmonics(30, 0.5, std::sqrt(kYoung / kDensity) / 2)) {
    for (const Complex& s : roots_of(1e-5 * omega * omega / 2, omega * omega)) all.push_back(s);
  }
  expect_eigenvalues("rubber rod", structure_of(spec), all, region(60'000, 40'000), 1e-11, Certainty::kChecked);
}

// A damper at the tip of a rod: cosh t + d sinh t = 0 with t = s l / c, d its ratio to the rod's impedance. The tip has
// no mass of its own.
TEST(DampedSystems, RodWithADamperAtItsTip) {
  const double l = 2, wave = std::sqrt(kYoung / kDensity), impedance = kDensity * wave * kPi * 1e-4;
  for (const double d : {0.3, 3.0}) {
    model::ModelSpec spec = steel_spec("damped rod", {"x"});
    spec.bodies = {round("rod", BodyKind::kRod, {0, 0, 0}, {l, 0, 0}, 0.01)};
    clamp(spec, "rod", {0, 0, 0});
    spring_x(spec, "ground", "rod", {l, 0, 0}, 0, d * impedance);
    std::vector<Complex> all;
    const double decay = std::log(std::abs((d - 1) / (d + 1))) / 2;
    for (int n = 0; n < 20; ++n) all.emplace_back(decay * wave / l, (d > 1 ? n : n + 0.5) * kPi * wave / l);
    expect_eigenvalues(fmt::format("rod with a damper at its tip, {}", d), structure_of(spec), all,
                       region(50'000, 20'000), 1e-10, Certainty::kChecked);
  }
}

// A critically damped mass: a double root of which rounding makes a pair, 1e-8 apart.
TEST(DampedSystems, CriticallyDampedMass) {
  model::ModelSpec spec = weightless("critical", {"x"});
  spec.bodies = {point_mass("mass", 2, {0, 0, 0})};
  spring_x(spec, "ground", "mass", {0, 0, 0}, 50, 20);
  const Result<ModeSet> set = modes_below(structure_of(spec), region(20, 20));
  ASSERT_TRUE(set.has_value());
  EXPECT_EQ(set->certainty, Certainty::kProved) << set->certificate;
  EXPECT_EQ(set->found, 2);
  for (const Mode& mode : set->modes) EXPECT_LT(std::abs(mode.s + 5.0), 1e-6);
}

// Equal damped oscillators side by side: twelve times the same pair.
TEST(DampedSystems, TwelveEqualDampedOscillators) {
  model::ModelSpec spec = weightless("equal", {"x"});
  std::vector<Complex> all;
  for (int k = 0; k < 12; ++k) {
    spec.bodies.push_back(point_mass(fmt::format("mass_{}", k), 2, {0, 0.1 * k, 0}));
    spring_x(spec, "ground", fmt::format("mass_{}", k), {0, 0.1 * k, 0}, 50, 4);
    all.push_back(roots_of(1, 25).front());
  }
  expect_eigenvalues("twelve equal damped oscillators", structure_of(spec), all, region(20, 20), 1e-12,
                     Certainty::kProved);
}

// Rubber bars of different damping in a frame with a viscous hinge, against finite elements.
TEST(DampedSystems, FrameOfRubberBars) {
  model::ModelSpec spec = steel_spec("rubber frame", kPlane);
  spec.bodies = {round_beam("left", {0, 0, 0}, {0, 1, 0}, 0.02), round_beam("top", {0, 1, 0}, {1.2, 1, 0}, 0.02),
                 round_beam("right", {1.2, 1, 0}, {1.2, 0, 0}, 0.015)};
  spec.bodies[0].beam->kelvin_voigt = 2e-5;
  spec.bodies[1].beam->viscous = 60;
  spec.bodies[2].beam->kelvin_voigt = 1e-5;
  clamp(spec, "left", {0, 0, 0});
  weld(spec, "left", "top", {0, 1, 0});
  hinge(spec, "top", "right", {1.2, 1, 0}, {1e8, 1e8, 0, 0, 0, 2e4}, {500, 500, 0, 0, 0, 20});
  clamp(spec, "right", {1.2, 0, 0});
  const Structure structure = structure_of(spec);
  const Result<ModeSet> set = modes_below(structure, region(1500, 1500));
  ASSERT_TRUE(set.has_value()) << to_string(set.error());
  EXPECT_NE(set->certainty, Certainty::kNone) << set->certificate;
  ASSERT_GE(set->modes.size(), 4u);
  const HierarchicElements elements(structure, 11);
  std::vector<Complex> reference;
  for (const Mode& mode : set->modes) reference.push_back(elements.eigenvalue_near(mode.s * Complex(1.001, 0.001)));
  expect_eigenvalues("portal of rubber bars", structure, reference, region(1500, 1500), 1e-9, Certainty::kChecked,
                     "p-FEM");
}

// Two masses joined by a spring and a damper, free: s = 0 twice, and m s^2 + c s + k = 0 with the reduced mass.
TEST(DampedSystems, FreePairOfMasses) {
  model::ModelSpec spec = weightless("pair", {"x"});
  spec.bodies = {point_mass("a", 2, {0, 0, 0}), point_mass("b", 3, {1, 0, 0})};
  spring_x(spec, "a", "b", {0, 0, 0}, 200, 3);
  std::vector<Complex> all = roots_of(3 / 1.2 / 2, 200 / 1.2);
  all.insert(all.end(), {0.0, 0.0});
  expect_eigenvalues("free pair of masses, damped", structure_of(spec), all, region(50, 50), 1e-12, Certainty::kProved);
}

// A car that rolls against a damper alone: s = 0 and s = -c / m.
TEST(DampedSystems, MassOnADamperAlone) {
  model::ModelSpec spec = weightless("car", {"x"});
  spec.bodies = {point_mass("car", 4, {0, 0, 0})};
  spring_x(spec, "ground", "car", {0, 0, 0}, 0, 10);
  expect_eigenvalues("mass on a damper alone", structure_of(spec), {0.0, -2.5}, region(20, 20), 1e-12,
                     Certainty::kProved);
}

// A free beam in oil: its two free motions are s (s + c / rho A).
TEST(DampedSystems, FreeBeamInOil) {
  model::ModelSpec spec = cantilever(30, 0);
  spec.joints.clear();
  std::vector<Complex> all = {0.0, 0.0, -30 / kMass, -30 / kMass};
  for (const double omega : squares(clamped_numbers(12), kBendingUnit)) {
    for (const Complex& s : roots_of(30 / kMass / 2, omega * omega)) all.push_back(s);
  }
  expect_eigenvalues("free beam in oil", structure_of(spec), all, region(6000, 6000), 1e-10, Certainty::kProved);
}

// Rubber alone does not hold the free motions back: s = 0 four times.
TEST(DampedSystems, FreeRubberBeam) {
  model::ModelSpec spec = cantilever(0, 1e-5);
  spec.joints.clear();
  std::vector<Complex> all(4, 0.0);
  for (const double omega : squares(clamped_numbers(12), kBendingUnit)) {
    for (const Complex& s : roots_of(1e-5 * omega * omega / 2, omega * omega)) all.push_back(s);
  }
  expect_eigenvalues("free rubber beam", structure_of(spec), all, region(6000, 6000), 1e-10, Certainty::kChecked);
}

// A free train in space whose cars are damped against each other: six free motions, twelve zeros.
TEST(DampedSystems, FreeTrainInSpace) {
  model::ModelSpec spec = weightless("train", kSpace);
  for (int k = 0; k < 3; ++k) {
    spec.bodies.push_back(rigid(fmt::format("car_{}", k), 2 + k, {1.0 * k, 0, 0}, {0.5, 0.6, 0.7}));
    if (k == 0) continue;
    hinge(spec, fmt::format("car_{}", k - 1), fmt::format("car_{}", k), {k - 0.5, 0.1, 0}, {900, 800, 700, 60, 50, 40},
          {3, 2, 4, 0.3, 0.2, 0.1});
  }
  const Structure structure = structure_of(spec);
  const Result<ModeSet> set = modes_below(structure, region(100, 100));
  ASSERT_TRUE(set.has_value()) << to_string(set.error());
  ASSERT_FALSE(set->modes.empty());
  EXPECT_EQ(set->modes[0].s, 0.0);
  EXPECT_EQ(set->modes[0].multiplicity, 12);
  EXPECT_EQ(set->found, 36);
  const HierarchicElements matrices(structure, 2);
  std::vector<Complex> reference(12, 0.0);
  for (const Mode& mode : set->modes) {
    if (mode.s != 0.0) reference.push_back(matrices.eigenvalue_near(mode.s * Complex(1.001, 0.0005)));
  }
  expect_eigenvalues("free train in space, damped", structure, reference, region(100, 100), 1e-9, Certainty::kProved,
                     "matrices");
}

}  // namespace
}  // namespace espalier::modes
