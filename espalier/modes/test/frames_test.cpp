// Frames, loops, trusses and released joints against finite elements of high order, which know nothing of transfer
// matrices, trees or counts.

#include "espalier/modes/modes.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/modes/test/closed_forms.hpp"
#include "espalier/modes/test/hierarchic_elements.hpp"
#include "espalier/modes/test/model_parts.hpp"

namespace espalier::modes {
namespace {

using Eigen::Vector3d;
using model::BodyKind;
using model::JointType;

// At least the first `count` frequencies agree. Finite elements of too low an order would not.
void expect_as_elements(const std::string& system, const model::ModelSpec& spec, std::size_t count, int order,
                        double slow, double tolerance = 1e-9) {
  const Structure structure = structure_of(spec);
  const std::vector<double> reference = HierarchicElements(structure, order).frequencies(slow);
  // Up to the next gap: the bound must not part a cluster.
  while (count + 1 < reference.size() && reference[count] < reference[count - 1] * (1 + 1e-4)) ++count;
  expect_reference(system, "p-FEM", structure, reference, count, tolerance);
}

//  o======o      feet pinned, corners welded
//  |      |
//  ^      ^
TEST(Frames, PortalOnPins) {
  model::ModelSpec spec = steel_spec("portal", kPlane);
  spec.bodies = {round_beam("left", {0, 0, 0}, {0, 2, 0}, 0.03), round_beam("top", {0, 2, 0}, {3, 2, 0}, 0.04),
                 round_beam("right", {3, 2, 0}, {3, 0, 0}, 0.03)};
  join(spec, JointType::kRevolute, "ground", "left", {0, 0, 0});
  weld(spec, "left", "top", {0, 2, 0});
  weld(spec, "top", "right", {3, 2, 0});
  join(spec, JointType::kRevolute, "ground", "right", {3, 0, 0});
  expect_as_elements("portal frame on pins", spec, 10, 16, 50);
}

// Four elastic bars with pins at all corners, on two pins: a mechanism with one free motion and a loop.
TEST(Frames, FourBarOfElasticBars) {
  model::ModelSpec spec = steel_spec("four bar", kPlane);
  spec.bodies = {round_beam("crank", {0, 0, 0}, {0.3, 0.9, 0}, 0.01),
                 round_beam("coupler", {0.3, 0.9, 0}, {1.8, 1.2, 0}, 0.012),
                 round_beam("rocker", {1.8, 1.2, 0}, {2, 0, 0}, 0.01)};
  join(spec, JointType::kRevolute, "ground", "crank", {0, 0, 0});
  join(spec, JointType::kRevolute, "crank", "coupler", {0.3, 0.9, 0});
  join(spec, JointType::kRevolute, "coupler", "rocker", {1.8, 1.2, 0});
  join(spec, JointType::kRevolute, "ground", "rocker", {2, 0, 0});
  expect_as_elements("four-bar linkage of elastic bars", spec, 12, 16, 50);
}

// Beams that share a pin, a slider and a clamp in a row.
TEST(Frames, ReleasedHingesInThePlane) {
  model::ModelSpec spec = steel_spec("released", kPlane);
  spec.bodies = {round_beam("a", {0, 0, 0}, {1, 0, 0}, 0.02), round_beam("b", {1, 0, 0}, {1.8, 0.5, 0}, 0.015),
                 round_beam("c", {1.8, 0.5, 0}, {3, 0.5, 0}, 0.02)};
  clamp(spec, "a", {0, 0, 0});
  join(spec, JointType::kRevolute, "a", "b", {1, 0, 0});
  join(spec, JointType::kPrismatic, "b", "c", {1.8, 0.5, 0}, {0.6, 0.8, 0});
  clamp(spec, "c", {3, 0.5, 0});
  expect_as_elements("beams with a pin and a slider", spec, 10, 16, 50);
}

// The far end of a beam runs on a rail at 30 degrees: bending and stretching mix.
TEST(Frames, SkewSupport) {
  model::ModelSpec spec = steel_spec("skew", kPlane);
  spec.bodies = {round_beam("beam", {0, 0, 0}, {1.5, 0, 0}, 0.03)};
  clamp(spec, "beam", {0, 0, 0});
  // A rail along x, y and free to turn: a pin on a slider without mass.
  join(spec, JointType::kPlanar, "ground", "beam", {1.5, 0, 0});
  model::JointSpec& rail = spec.joints.back();
  rail.at->rotation = Eigen::AngleAxisd(std::numbers::pi / 6, Vector3d::UnitZ());
  rail.stiffness = {0, 1e9, 0};
  expect_as_elements("beam with a skew elastic support", spec, 10, 24, 100);
}

// In space: a slider along a skew axis holds all but one direction.
TEST(Frames, SkewSliderInSpace) {
  model::ModelSpec spec = steel_spec("skew slider", kSpace);
  spec.bodies = {flat_beam("beam", {0, 0, 0}, {1, 0.2, 0.3}, 0.03, 0.02)};
  clamp(spec, "beam", {0, 0, 0});
  join(spec, JointType::kPrismatic, "ground", "beam", {1, 0.2, 0.3}, {0.2, -0.7, 0.4});
  expect_as_elements("beam on a skew slider in space", spec, 12, 20, 100);
}

// Two beams joined by a ball, the second by a ball to the ground: it can spin about its own axis.
TEST(Frames, BallsInSpace) {
  model::ModelSpec spec = steel_spec("balls", kSpace);
  spec.bodies = {flat_beam("arm", {0, 0, 0}, {1, 0, 0}, 0.03, 0.02),
                 flat_beam("link", {1, 0, 0}, {1.5, 0.8, 0.6}, 0.02, 0.012)};
  clamp(spec, "arm", {0, 0, 0});
  join(spec, JointType::kSpherical, "arm", "link", {1, 0, 0});
  join(spec, JointType::kSpherical, "ground", "link", {1.5, 0.8, 0.6});
  expect_as_elements("beams joined by balls in space", spec, 13, 18, 100);
}

// A table: four legs clamped, four edges welded, in space; the square has double frequencies.
TEST(Frames, SquareTable) {
  model::ModelSpec spec = steel_spec("table", kSpace);
  const std::array<Vector3d, 4> foot = {Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(1, 1, 0), Vector3d(0, 1, 0)};
  const Vector3d up(0, 0, 0.8);
  for (std::size_t k = 0; k < 4; ++k) {
    const std::string leg = fmt::format("leg_{}", k), edge = fmt::format("edge_{}", k);
    spec.bodies.push_back(round_beam(leg, foot[k], foot[k] + up, 0.02));
    spec.bodies.push_back(round_beam(edge, foot[k] + up, foot[(k + 1) % 4] + up, 0.025));
    clamp(spec, leg, foot[k]);
  }
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t before = (k + 3) % 4;
    weld(spec, fmt::format("leg_{}", k), fmt::format("edge_{}", k), foot[k] + up);
    weld(spec, fmt::format("leg_{}", k), fmt::format("edge_{}", before), foot[k] + up);
  }
  expect_as_elements("square table in space", spec, 10, 9, 50);
}

// A bent pipe of three legs along x, y and z, with a valve on it.
TEST(Frames, PipeInSpace) {
  model::ModelSpec spec = steel_spec("pipe", kSpace);
  spec.bodies = {round_beam("a", {0, 0, 0}, {1.5, 0, 0}, 0.05), round_beam("b", {1.5, 0, 0}, {1.5, 1, 0}, 0.05),
                 round_beam("c", {1.5, 1, 0}, {1.5, 1, 2}, 0.05),
                 rigid("valve", 12, {1.55, 0.02, 0.03}, {0.1, 0.15, 0.2})};
  for (model::BodySpec& body : spec.bodies) {
    if (body.beam) body.beam->section.inner_radius = {0.045, 0.045};
  }
  clamp(spec, "a", {0, 0, 0});
  weld(spec, "a", "valve", {1.5, 0, 0});
  weld(spec, "valve", "b", {1.5, 0, 0});
  weld(spec, "b", "c", {1.5, 1, 0});
  clamp(spec, "c", {1.5, 1, 2});
  expect_as_elements("bent pipe with a valve in space", spec, 14, 14, 50);
}

// Rods between balls: a tetrahedron with heavy corners on three pinned feet.
TEST(Frames, SpaceTruss) {
  model::ModelSpec spec = steel_spec("truss", {"x", "y", "z"});
  const std::vector<Vector3d> node = {{0, 0, 0},       {2, 0, 0},       {0.8, 1.7, 0},
                                      {0.3, 0.4, 1.5}, {1.6, 0.5, 1.6}, {0.9, 1.3, 1.4}};
  for (int n = 3; n < 6; ++n)
    spec.bodies.push_back(point_mass(fmt::format("n{}", n), 4 + n, node[to_index(n)]));
  const std::vector<std::array<int, 2>> rods = {{0, 3}, {0, 4}, {1, 4}, {1, 5}, {2, 5}, {2, 3}, {3, 4}, {4, 5}, {5, 3}};
  for (const auto& [a, b] : rods) {
    const std::string name = fmt::format("rod_{}{}", a, b);
    const auto from = to_index(a), to = to_index(b);
    spec.bodies.push_back(round(name, BodyKind::kRod, node[from], node[to], 0.01));
    weld(spec, a < 3 ? "ground" : fmt::format("n{}", a), name, node[from]);
    weld(spec, fmt::format("n{}", b), name, node[to]);
  }
  expect_as_elements("space truss of nine rods", spec, 12, 12, 500);
}

// Crossing beams in a plane that bend out of it and twist.
TEST(Frames, Grillage) {
  model::ModelSpec spec = steel_spec("grillage", {"z", "rx", "ry"});
  const auto name = [](char way, int i, int j) { return fmt::format("{}_{}_{}", way, i, j); };
  // Nodes (1..2, 1..2) inside a frame of clamped ends; spans of 1 m by 1.3 m.
  for (int i = 1; i <= 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      spec.bodies.push_back(
          flat_beam(name('x', j, i), Vector3d(j, 1.3 * i, 0), Vector3d(j + 1, 1.3 * i, 0), 0.03, 0.02));
      spec.bodies.push_back(
          flat_beam(name('y', i, j), Vector3d(i, 1.3 * j, 0), Vector3d(i, 1.3 * (j + 1), 0), 0.02, 0.02));
    }
  }
  for (int i = 1; i <= 2; ++i) {
    clamp(spec, name('x', 0, i), {0, 1.3 * i, 0});
    clamp(spec, name('x', 2, i), {3, 1.3 * i, 0});
    clamp(spec, name('y', i, 0), {static_cast<double>(i), 0, 0});
    clamp(spec, name('y', i, 2), {static_cast<double>(i), 3.9, 0});
    for (int j = 1; j <= 2; ++j) {
      const Vector3d at(i, 1.3 * j, 0);
      weld(spec, name('x', i - 1, j), name('x', i, j), at);
      weld(spec, name('x', i, j), name('y', i, j), at);
      weld(spec, name('y', i, j - 1), name('y', i, j), at);
    }
  }
  expect_as_elements("grillage of twelve beams", spec, 12, 10, 50);
}

// Timoshenko's beams, short and thick, in an L.
TEST(Frames, ThickAngle) {
  model::ModelSpec spec = steel_spec("thick angle", kSpace);
  spec.bodies = {flat_beam("a", {0, 0, 0}, {0.6, 0, 0}, 0.1, 0.08),
                 flat_beam("b", {0.6, 0, 0}, {0.6, 0.5, 0.1}, 0.06, 0.09)};
  for (model::BodySpec& body : spec.bodies) body.beam->theory = model::BeamTheory::kTimoshenko;
  clamp(spec, "a", {0, 0, 0});
  weld(spec, "a", "b", {0.6, 0, 0});
  expect_as_elements("thick angle of Timoshenko's beams", spec, 12, 16, 500);
}

// A star of sixteen equal arms on a free hub: 16 - 3 combinations leave the hub at rest, and bend as cantilevers.
TEST(Frames, FreeStarOfSixteenArms) {
  constexpr int kArms = 16;
  model::ModelSpec spec = steel_spec("star", kPlane);
  spec.bodies = {rigid("hub", 5, {0, 0, 0}, {0.05, 0.05, 0.08})};
  for (int k = 0; k < kArms; ++k) {
    const double angle = 2 * kPi * k / kArms;
    const Vector3d out(std::cos(angle), std::sin(angle), 0);
    spec.bodies.push_back(round_beam(fmt::format("arm_{}", k), 0.1 * out, 1.1 * out, 0.01));
    weld(spec, "hub", fmt::format("arm_{}", k), 0.1 * out);
  }
  expect_as_elements("free star of sixteen arms", spec, 3 + 2 * kArms, 10, 50);
}

// A free ring of beams of equal length.
model::ModelSpec polygon(int sides, double radius, double thickness) {
  model::ModelSpec spec = steel_spec("ring", kPlane);
  const auto corner = [&](int k) {
    const double angle = 2 * kPi * (k % sides) / sides;
    return Vector3d(radius * std::cos(angle), radius * std::sin(angle), 0);
  };
  for (int k = 0; k < sides; ++k) {
    spec.bodies.push_back(round_beam(fmt::format("side_{}", k), corner(k), corner(k + 1), thickness));
  }
  for (int k = 0; k < sides; ++k)
    weld(spec, fmt::format("side_{}", k), fmt::format("side_{}", (k + 1) % sides), corner(k + 1));
  return spec;
}

TEST(Frames, FreeRingOfSixteenBeams) {
  expect_as_elements("free ring of sixteen beams", polygon(16, 1, 0.02), 19, 7, 50);
}

// Of a circle: u = U sin n phi, w = W cos n phi, with EA (u' + w / R) and EI (w' - u / R)'.
TEST(Frames, RingsTendToTheCircle) {
  const double R = 1, r = 0.02, area = kPi * r * r, I = area * r * r / 4;
  const auto circle = [&](int n) {
    const double a = kYoung * area / (R * R), b = kYoung * I * n * n / std::pow(R, 4), rho = kDensity * area;
    const double k11 = a * n * n + b, k12 = a * n + b * n, k22 = a + b * n * n;
    const double sum = k11 + k22, product = a * b * (n * n - 1.0) * (n * n - 1.0);
    const double root = std::sqrt(sum * sum - 4 * product);
    EXPECT_NEAR(k11 * k22 - k12 * k12, product, 1e-6 * k11 * k22);
    return std::sqrt(2 * product / (sum + root) / rho);
  };
  std::vector<std::vector<double>> omega;
  for (const int sides : {32, 64, 128}) {
    ModesOptions options;
    options.max_frequency = (circle(4) + circle(5)) / 2;
    const Result<ModeSet> set = modes_below(structure_of(polygon(sides, R, r)), options);
    ASSERT_TRUE(set.has_value());
    EXPECT_EQ(set->certainty, Certainty::kProved);
    ASSERT_EQ(set->modes.size(), 4u);
    EXPECT_EQ(set->modes[0].multiplicity, 3);
    omega.emplace_back();
    for (std::size_t k = 1; k < 4; ++k) {
      EXPECT_EQ(set->modes[k].multiplicity, 2);
      omega.back().push_back(set->modes[k].s.imag());
    }
  }
  for (int n = 2; n <= 4; ++n) {
    const auto k = to_index(n - 2);
    const double exact = circle(n);
    EXPECT_NEAR((omega[0][k] - exact) / (omega[1][k] - exact), 4, 0.1) << n;
    const double once = (4 * omega[1][k] - omega[0][k]) / 3, again = (4 * omega[2][k] - omega[1][k]) / 3;
    EXPECT_NEAR((16 * again - once) / 15 / exact, 1, 1e-7) << n;
  }
}

}  // namespace
}  // namespace espalier::modes
