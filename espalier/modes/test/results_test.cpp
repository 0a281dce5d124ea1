#include "espalier/modes/results.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "espalier/modes/modes.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

using Complex = std::complex<double>;
using Eigen::Vector3d;

constexpr SectionOf kSteel = {4e-4, 2e-8, 1e-8, 2.5e-8, 2.1e11, 8.1e10, 7850};

struct Answer {
  ModeSet set;
  ModeResults results;
};

Answer answer(const Structure& structure, int count, Scaling scaling = Scaling::kLargest) {
  const Tree tree = plan_tree(structure).value();
  ModesOptions options;
  options.count = count;
  Answer out{find_modes(comm::Comm::serial(), structure, tree, options).value(), {}};
  ResultOptions asked;
  asked.scaling = scaling;
  out.results = find_results(structure, tree, out.set, asked).value();
  return out;
}

// |========== clamped at 0, length 2 m, bends in the x-y plane.
Structure cantilever(double viscous = 0) {
  Structure out;
  out.vertices.push_back(vertex_at(Vector3d::Zero(), kSupport));
  out.vertices.push_back(vertex_at(Vector3d(2, 0, 0), kBending));
  add_beam(out, 0, 1, kSteel, Vector3d::UnitY());
  std::get<Beam>(out.elements[0].law).viscous = viscous;
  return out;
}

// A skew frame in space: clamped beam, hub with mass, two more beams, one to an elastic hinge on the ground.
Structure frame(double damping) {
  Structure out;
  out.vertices.push_back(vertex_at(Vector3d::Zero(), kSupport));
  out.vertices.push_back(vertex_at(Vector3d(1, 0.2, 0.1), kAll));
  out.vertices.push_back(vertex_at(Vector3d(1.5, 0.9, 0.4), kAll));
  out.vertices.push_back(vertex_at(Vector3d(1.7, -0.6, 0.2), kAll));
  out.vertices.push_back(vertex_at(Vector3d(1.7, -0.6, 0.2), kSupport));
  out.vertices[1].mass = rigid_mass(2, {0.01, 0.02, 0.03}, Vector3d(0.01, 0.02, 0.025).asDiagonal());
  out.vertices[3].mass = rigid_mass(0.7, Vector3d::Zero(), Vector3d(0.001, 0.002, 0.002).asDiagonal());
  add_beam(out, 0, 1, kSteel, Vector3d::UnitY(), Vector3d::Zero(), {-0.05, 0, 0.01});
  add_beam(out, 1, 2, kSteel, Vector3d::UnitZ(), {0.03, 0.02, 0});
  add_beam(out, 3, 1, kSteel, Vector3d::UnitZ());
  Hinge hinge;
  hinge.kind.fill(Hinge::Kind::kElastic);
  hinge.stiffness = {1e4, 2e4, 3e4, 10, 20, 30};
  hinge.damping = {damping, 0, damping, 0, 0, 1e-3 * damping};
  out.elements.push_back({"mount", hinge, {4, 3}, {Matrix6::Identity(), Matrix6::Identity()}});
  std::get<Beam>(out.elements[1].law).viscous = 0.1 * damping;
  std::get<Beam>(out.elements[2].law).kelvin_voigt = 1e-7 * damping;
  std::get<Beam>(out.elements[0].law).foundation = 100;
  return out;
}

void expect_balance(const Answer& answer, double tolerance) {
  for (std::size_t k = 0; k < answer.set.modes.size(); ++k) {
    const Complex s = answer.set.modes[k].s;
    if (!(s.imag() > 0)) continue;
    for (const ShapeResult& shape : answer.results.modes[k]) {
      const Energy& total = shape.energies.total;
      EXPECT_NEAR(total.potential / total.kinetic, 1, tolerance) << "mode " << k;
      EXPECT_NEAR(total.kinetic / (std::norm(s) * shape.modal_mass), 1, 1e-12);
      EXPECT_NEAR(total.lost / total.kinetic, -2 * s.real() / 1.0, tolerance * std::abs(s)) << "mode " << k;
    }
  }
}

TEST(ModeResults, KineticIsPotentialEnergyAndDampingTakesItsShare) {
  expect_balance(answer(cantilever(), 12), 1e-9);
  expect_balance(answer(frame(0), 20), 1e-9);
  expect_balance(answer(frame(20), 4), 1e-8);
  expect_balance(answer(stepped_beam(10), 4), 1e-8);
}

// z of cos z cosh z = -1; the shape is cosh - cos - sigma (sinh - sin).
TEST(ModeResults, CantileverHasTheEffectiveMassesOfTheTextbook) {
  const Answer found = answer(cantilever(), 4);
  const double mass = kSteel.rho * kSteel.area * 2;
  EXPECT_NEAR(found.results.mass[1], mass, 1e-12 * mass);
  EXPECT_NEAR(found.results.mass[5], mass * 4 / 12, 1e-12 * mass);  // about the centre
  for (std::size_t k = 0; k < 4; ++k) {
    const double z = std::sqrt(found.set.modes[k].s.imag() * 4 * std::sqrt(kSteel.rho * kSteel.area / (2.1e11 * 1e-8)));
    ASSERT_NEAR(std::cos(z) * std::cosh(z), -1, 1e-5);
    const double sigma = (std::cosh(z) + std::cos(z)) / (std::sinh(z) + std::sin(z));
    const ShapeResult& shape = found.results.modes[k][0];
    // The integral of the shape is 2 sigma / z, that of its square 1; its tip has 2.
    EXPECT_NEAR(shape.effective_mass[1], mass * std::pow(2 * sigma / z, 2), 1e-9 * mass) << k;
    EXPECT_NEAR(shape.modal_mass, mass / 4, 1e-9 * mass);
    EXPECT_NEAR(std::abs(found.set.modes[k].shapes[0][1][1]), 1, 1e-12);
  }
}

TEST(ModeResults, EffectiveMassesAddUpToAllMass) {
  const Answer chain = answer(spring_chain({1000, 2000, 1500}, {1, 2, 0.5}), 3);
  double sum = 0;
  for (const auto& mode : chain.results.modes) sum += mode[0].effective_mass[0];
  EXPECT_NEAR(sum, 3.5, 1e-12);
  EXPECT_NEAR(chain.results.mass[0], 3.5, 1e-12);
}

// Free in space: six motions without frequency carry all mass in every direction, and vibrations carry none.
TEST(ModeResults, FreeMotionsCarryAllMass) {
  Structure bar;
  bar.vertices.push_back(vertex_at(Vector3d(0.1, 0.2, 0.3), kAll));
  bar.vertices.push_back(vertex_at(Vector3d(1.1, 0.7, -0.3), kAll));
  bar.vertices[0].mass = rigid_mass(1.5, {0.02, 0, 0.01}, Vector3d(0.01, 0.02, 0.015).asDiagonal());
  add_beam(bar, 0, 1, kSteel, Vector3d::UnitY());
  const Answer found = answer(bar, 3);
  ASSERT_EQ(found.set.modes[0].multiplicity, 6);
  for (std::size_t d = 0; d < 6; ++d) {
    double free = 0;
    for (const ShapeResult& shape : found.results.modes[0]) free += shape.effective_mass[d];
    EXPECT_NEAR(free / found.results.mass[d], 1, 1e-7) << d;
    for (std::size_t k = 1; k < found.results.modes.size(); ++k) {
      EXPECT_NEAR(found.results.modes[k][0].effective_mass[d] / found.results.mass[d], 0, 1e-9);
    }
  }
}

TEST(ModeResults, EqualModesAreOrthogonalByMass) {
  // Two equal spring-mass pairs side by side, and one more.
  const Structure twice = [] {
    Structure out = spring_chain({1000}, {2});
    out.vertices.push_back(vertex_at(Vector3d(1, 1, 0), kAlongX));
    out.vertices.back().mass(0, 0) = 3;
    add_spring(out, 0, 2, 1500);
    return out;
  }();
  const Answer found = answer(twice, 1, Scaling::kMass);
  ASSERT_EQ(found.set.modes[0].multiplicity, 2);
  const auto& shapes = found.results.modes[0];
  Complex product = 0;
  for (std::size_t v = 1; v < 3; ++v) {
    product += (v == 1 ? 2.0 : 3.0) * std::conj(shapes[0].shape[v][0]) * shapes[1].shape[v][0];
  }
  EXPECT_NEAR(std::abs(product), 0, 1e-12);
  EXPECT_NEAR(shapes[0].modal_mass, 1, 1e-12);
  EXPECT_NEAR(shapes[0].effective_mass[0] + shapes[1].effective_mass[0], 5, 1e-12);
}

// |==========| No vertex moves, but the mode is there: sin-like with its largest displacement in the middle.
TEST(ModeResults, ABeamBetweenTwoSupportsHasAShape) {
  Structure beam = cantilever();
  beam.vertices[1].moves = kSupport;
  std::get<Beam>(beam.elements[0].law).axial = false;
  std::get<Beam>(beam.elements[0].law).torsion = false;
  std::get<Beam>(beam.elements[0].law).bend_z = false;
  const Answer found = answer(beam, 3);
  const double z = 4.730040744862704;
  EXPECT_NEAR(found.set.modes[0].s.imag(), z * z / 4 * std::sqrt(2.1e11 * 1e-8 / (kSteel.rho * kSteel.area)), 1e-8);
  const ShapeResult& first = found.results.modes[0][0];
  std::size_t largest = 0;
  for (std::size_t v = 0; v < first.shape.size(); ++v) {
    if (std::abs(first.shape[v][1]) > std::abs(first.shape[largest][1])) largest = v;
  }
  EXPECT_NEAR(found.results.cut.structure.vertices[largest].point.x(), 1, 1e-12);
  EXPECT_NEAR(std::abs(first.shape[largest][1]), 1, 1e-12);
  // The mass of half a beam, 0.3965 of the whole: the square of the shape over its middle.
  EXPECT_NEAR(first.modal_mass / found.results.mass[1], 0.3965, 1e-4);
  expect_balance(found, 1e-9);
}

TEST(ModeResults, InteriorDisplacementsAreThoseOfTheShape) {
  const Answer found = answer(cantilever(), 5);
  for (std::size_t k = 0; k < 5; ++k) {
    const double z = std::sqrt(found.set.modes[k].s.imag() * 4 * std::sqrt(kSteel.rho * kSteel.area / (2.1e11 * 1e-8)));
    const double sigma = (std::cosh(z) + std::cos(z)) / (std::sinh(z) + std::sin(z));
    const auto exact = [&](double x) {
      return std::cosh(z * x) - std::cos(z * x) - sigma * (std::sinh(z * x) - std::sin(z * x));
    };
    const CutStructure& cut = found.results.cut;
    for (std::size_t v = 2; v < cut.structure.vertices.size(); ++v) {
      const double x = cut.structure.vertices[v].point.x() / 2;
      EXPECT_NEAR(found.results.modes[k][0].shape[v][1].real(), exact(x) / exact(1), 1e-9);
    }
  }
}

}  // namespace
}  // namespace espalier::modes
