// Rigid bodies on springs and in loops, against formulas and matrices written down by hand.

#include "espalier/modes/modes.hpp"

#include <cmath>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "espalier/modes/test/closed_forms.hpp"
#include "espalier/modes/test/hierarchic_elements.hpp"
#include "espalier/modes/test/model_parts.hpp"

namespace espalier::modes {
namespace {

using Eigen::Vector3d;
using model::JointType;

const char* const kFormula = "closed form";
constexpr double kHigh = 1e5;  // above all frequencies here [rad/s]

void add_spring(model::ModelSpec& spec, const std::string& body, const Vector3d& ground, const Vector3d& at,
                double stiffness) {
  model::ForceSpec force;
  model::SpringSpec spring;
  spring.a = "ground";
  spring.b = body;
  spring.point_a = ground;
  spring.point_b = at;
  spring.in_world = true;
  spring.stiffness = stiffness;
  force.law = spring;
  spec.forces.push_back(force);
}

// A bar on a pin between two springs: (k a^2 + k' b^2) / (J + m c^2).
TEST(RigidSystems, LeverBetweenSprings) {
  model::ModelSpec spec = weightless("lever", kPlane);
  spec.bodies = {rigid("bar", 3, {0.4, 0, 0}, {0.1, 0.5, 0.5})};
  join(spec, JointType::kRevolute, "ground", "bar", {0, 0, 0});
  add_spring(spec, "bar", {-0.3, -1, 0}, {-0.3, 0, 0}, 700);
  add_spring(spec, "bar", {1, 2, 0}, {1, 0, 0}, 250);
  const double omega = std::sqrt((700 * 0.09 + 250) / (0.5 + 3 * 0.16));
  expect_reference("lever between two springs", kFormula, structure_of(spec), {omega, kHigh}, 1, 1e-13);
}

// Three springs at 120 degrees hold a mass alike in all directions of their plane: 3 k / 2 m, twice.
TEST(RigidSystems, MassInAStarOfSprings) {
  model::ModelSpec spec = weightless("star", {"x", "y"});
  spec.bodies = {point_mass("mass", 2, {0, 0, 0})};
  for (int k = 0; k < 3; ++k) {
    const double angle = 0.3 + 2 * kPi * k / 3;
    add_spring(spec, "mass", {std::cos(angle), std::sin(angle), 0}, {0, 0, 0}, 60);
  }
  const double omega = std::sqrt(1.5 * 60 / 2);
  expect_reference("mass in a star of three springs", kFormula, structure_of(spec), {omega, omega, kHigh}, 2, 1e-12);
}

//  o------o     cranks of length l, coupler of mass M that only shifts, a spring at one pin
//  |      |
//  ^      ^
model::ModelSpec parallelogram(const std::vector<std::string>& active) {
  model::ModelSpec spec = weightless("parallelogram", active);
  spec.bodies = {rigid("left", 1.2, {0, 0.3, 0}, {0.03, 0.01, 0.03}),
                 rigid("coupler", 4, {0.7, 0.6, 0}, {0.1, 0.8, 0.8}),
                 rigid("right", 0.8, {1.5, 0.25, 0}, {0.02, 0.01, 0.02})};
  join(spec, JointType::kRevolute, "ground", "left", {0, 0, 0});
  spec.joints.back().stiffness = {90};
  join(spec, JointType::kRevolute, "left", "coupler", {0, 0.6, 0});
  join(spec, JointType::kRevolute, "coupler", "right", {1.5, 0.6, 0});
  join(spec, JointType::kRevolute, "ground", "right", {1.5, 0, 0});
  return spec;
}

TEST(RigidSystems, ParallelogramInThePlaneAndInSpace) {
  const double inertia = 0.03 + 1.2 * 0.09 + 4 * 0.36 + 0.02 + 0.8 * 0.0625;
  const std::vector<double> reference = {std::sqrt(90 / inertia), kHigh};
  expect_reference("parallelogram of rigid bars", kFormula, structure_of(parallelogram(kPlane)), reference, 1, 1e-12);
  // In space three of the rows that close the loop say what the others say.
  expect_reference("the same in space, overconstrained", kFormula, structure_of(parallelogram(kSpace)), reference, 1,
                   1e-11);
}

// Eight bodies welded to a ring, each on a spring of its own.
TEST(RigidSystems, WeldedRingOfBodies) {
  constexpr int kBodies = 8;
  const double m = 2, k = 300, R = 1.5, Ixx = 0.05, Izz = 0.08;
  model::ModelSpec spec = weightless("ring", kSpace);
  const auto at = [&](int n) {
    const double angle = 2 * kPi * n / kBodies;
    return Vector3d(R * std::cos(angle), R * std::sin(angle), 0);
  };
  for (int n = 0; n < kBodies; ++n) {
    spec.bodies.push_back(rigid(fmt::format("b{}", n), m, at(n), {Ixx, Ixx, Izz}));
    hinge(spec, "ground", fmt::format("b{}", n), at(n), {k, k, k, 0, 0, 0});
  }
  for (int n = 0; n < kBodies; ++n) {
    weld(spec, fmt::format("b{}", n), fmt::format("b{}", (n + 1) % kBodies), (at(n) + at(n + 1)) / 2);
  }
  const double shift = std::sqrt(k / m), spin = std::sqrt(k * R * R / (m * R * R + Izz));
  const double tilt = std::sqrt(k * R * R / (m * R * R + 2 * Ixx));
  expect_reference("welded ring of eight bodies", kFormula, structure_of(spec),
                   {shift, shift, shift, tilt, tilt, spin, kHigh}, 6, 1e-11);
}

// A body whose centre is off its frame, on three bushings at skew places.
TEST(RigidSystems, BodyWithOffsetCentreOnBushings) {
  model::ModelSpec spec = weightless("engine", kSpace);
  model::BodySpec engine = rigid("engine", 180, {0.2, 0.1, 0.5}, {8, 14, 11});
  engine.com = Vector3d(0.05, -0.03, 0.12);
  (*engine.inertia)(0, 1) = (*engine.inertia)(1, 0) = 1.5;
  (*engine.inertia)(0, 2) = (*engine.inertia)(2, 0) = -0.7;
  spec.bodies = {engine};
  const std::array<Vector3d, 3> place = {Vector3d(-0.3, 0.2, 0.1), Vector3d(0.6, 0.3, 0.15), Vector3d(0.2, -0.4, 0.2)};
  Eigen::Matrix<double, 6, 6> K = Eigen::Matrix<double, 6, 6>::Zero(), M = K;
  const Vector3d centre = engine.pose.position + *engine.com;
  const auto cross = [](const Vector3d& a) {
    Eigen::Matrix3d out;
    out << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return out;
  };
  for (std::size_t p = 0; p < 3; ++p) {
    const double k = 2e5 * (1 + static_cast<double>(p));
    const std::vector<double> stiffness = {k, 2 * k, 0.7 * k, 0.01 * k, 0.02 * k, 0.005 * k};
    hinge(spec, "ground", "engine", place[p], stiffness);
    Eigen::Matrix<double, 6, 6> B = Eigen::Matrix<double, 6, 6>::Identity();
    B.topRightCorner<3, 3>() = -cross(place[p] - centre);
    K += B.transpose() * Eigen::Map<const Eigen::Matrix<double, 6, 1>>(stiffness.data()).asDiagonal() * B;
  }
  M.topLeftCorner<3, 3>() = 180 * Eigen::Matrix3d::Identity();
  M.bottomRightCorner<3, 3>() = *engine.inertia;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> solver(K, M);
  std::vector<double> reference = {kHigh};
  for (const double square : solver.eigenvalues()) reference.push_back(std::sqrt(square));
  expect_reference("body with offset centre on bushings", "matrices", structure_of(spec), reference, 6, 1e-12);
}

// A nut on a screw: turning by one radian moves it by pitch / 2 pi.
TEST(RigidSystems, NutOnAScrew) {
  model::ModelSpec spec = weightless("nut", kSpace);
  spec.bodies = {rigid("nut", 5, {0, 0, 1}, {0.02, 0.02, 0.03})};
  join(spec, JointType::kScrew, "ground", "nut", {0, 0, 1});
  spec.joints.back().pitch = 0.2;
  spec.joints.back().stiffness = {40};
  const double travel = 0.2 / (2 * kPi);
  expect_reference("nut on a screw", kFormula, structure_of(spec),
                   {std::sqrt(40 / (0.03 + 5 * travel * travel)), kHigh}, 1, 1e-12);
}

// A free ring of rigid bodies, each joined to the next by an elastic hinge, in space.
TEST(RigidSystems, FreeRingOnElasticHinges) {
  constexpr int kBodies = 9;
  model::ModelSpec spec = weightless("ring", kSpace);
  const auto at = [](double n) {
    const double angle = 2 * kPi * n / kBodies;
    return Vector3d(std::cos(angle), std::sin(angle), 0);
  };
  for (int n = 0; n < kBodies; ++n) {
    spec.bodies.push_back(rigid(fmt::format("b{}", n), 3 + 0.1 * n, at(n), {0.2, 0.3, 0.25}));
    hinge(spec, fmt::format("b{}", n), fmt::format("b{}", (n + 1) % kBodies), at(n + 0.5),
          {4e4, 5e4, 3e4, 500, 700, 600});
  }
  const Structure structure = structure_of(spec);
  std::vector<double> reference = HierarchicElements(structure, 2).frequencies(10);
  reference.push_back(kHigh);
  expect_reference("free ring on nine elastic hinges", "matrices", structure, reference, 6 * kBodies, 1e-9);
}

}  // namespace
}  // namespace espalier::modes
