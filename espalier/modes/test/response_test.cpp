#include "espalier/modes/response.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "espalier/modes/modes.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

using Complex = std::complex<double>;
using Eigen::Vector3d;

constexpr SectionOf kSteel = {4e-4, 2e-8, 1e-8, 2.5e-8, 2.1e11, 8.1e10, 7850};

Place place(int vertex, int direction, const Vector3d& arm = Vector3d::Zero()) {
  Place out;
  out.vertex = vertex;
  out.row = port(Eigen::Matrix3d::Identity(), arm).row(direction);
  return out;
}

std::vector<Complex> response(const Structure& structure, const Place& force, const Place& answer,
                              const std::vector<double>& omega) {
  return find_response(structure, plan_tree(structure).value(), force, answer, omega).value();
}

TEST(FindResponse, MassOnASpringAsTheTextbook) {
  for (const double damping : {0.0, 3.0}) {
    Structure structure = spring_chain({200}, {2});
    std::get<Hinge>(structure.elements[0].law).damping[0] = damping;
    const std::vector<double> omega = {0.1, 5, 9.9, 10.1, 30};
    const std::vector<Complex> found = response(structure, place(1, 0), place(1, 0), omega);
    for (std::size_t k = 0; k < omega.size(); ++k) {
      const Complex exact = 1.0 / Complex(200 - 2 * omega[k] * omega[k], damping * omega[k]);
      EXPECT_LT(std::abs(found[k] - exact), 1e-12 * std::abs(exact)) << omega[k];
    }
  }
}

// Force at the free end of a clamped beam: (cos sinh - sin cosh) / (EI lambda^3 (1 + cos cosh)).
TEST(FindResponse, TipOfACantileverAsTheTextbook) {
  const double length = 2, EI = 2.1e11 * 1e-8, rho_A = 7850 * 4e-4;
  Structure structure;
  structure.vertices.push_back(vertex_at(Vector3d::Zero(), kSupport));
  structure.vertices.push_back(vertex_at(Vector3d(length, 0, 0), kBending));
  add_beam(structure, 0, 1, kSteel, Vector3d::UnitY());
  for (const double viscous : {0.0, 15.0}) {
    std::get<Beam>(structure.elements[0].law).viscous = viscous;
    const std::vector<double> omega = {1, 20, 50, 300, 1500};
    const std::vector<Complex> found = response(structure, place(1, 1), place(1, 1), omega);
    for (std::size_t k = 0; k < omega.size(); ++k) {
      const double w = omega[k];
      const Complex lambda = std::pow(Complex(rho_A * w * w, -viscous * w) / EI, 0.25);
      const Complex z = lambda * length;
      const Complex exact = (std::sin(z) * std::cosh(z) - std::cos(z) * std::sinh(z)) /
                            (EI * lambda * lambda * lambda * (1.0 + std::cos(z) * std::cosh(z)));
      EXPECT_LT(std::abs(found[k] - exact), 1e-10 * std::abs(exact)) << w;
    }
  }
}

// A frame with a rigid hub and a loop over an elastic hinge.
Structure frame(double damping) {
  Structure out;
  out.vertices.push_back(vertex_at(Vector3d::Zero(), kSupport));
  out.vertices.push_back(vertex_at(Vector3d(1, 0.2, 0.1), kAll));
  out.vertices.push_back(vertex_at(Vector3d(1.5, 0.9, 0.4), kAll));
  out.vertices.push_back(vertex_at(Vector3d(1.7, -0.6, 0.2), kAll));
  out.vertices[1].mass = rigid_mass(2, {0.01, 0.02, 0.03}, Vector3d(0.01, 0.02, 0.025).asDiagonal());
  add_beam(out, 0, 1, kSteel, Vector3d::UnitY(), Vector3d::Zero(), {-0.05, 0, 0.01});
  add_beam(out, 1, 2, kSteel, Vector3d::UnitZ(), {0.03, 0.02, 0});
  add_beam(out, 3, 1, kSteel, Vector3d::UnitZ());
  add_spring(out, 2, 3, 5e4, damping);
  std::get<Beam>(out.elements[1].law).kelvin_voigt = 1e-6 * damping;
  return out;
}

RC_GTEST_PROP(FindResponse, IsReciprocal, ()) {
  const auto number = [](int low, int high) { return *rc::gen::inRange(low, high); };
  const Structure structure = frame(number(0, 2) * 25.0);
  const auto any = [&] {
    return place(number(1, 4), number(0, 6), 0.01 * Vector3d(number(-20, 20), number(-20, 20), number(-20, 20)));
  };
  const Place a = any(), b = any();
  const std::vector<double> omega = {0.37 * number(1, 2000)};
  const Complex there = response(structure, a, b, omega)[0], back = response(structure, b, a, omega)[0];
  const double size = std::sqrt(std::abs(response(structure, a, a, omega)[0] * response(structure, b, b, omega)[0]));
  RC_ASSERT(std::abs(there - back) <= 1e-9 * std::max(std::abs(there), size));
}

}  // namespace
}  // namespace espalier::modes
