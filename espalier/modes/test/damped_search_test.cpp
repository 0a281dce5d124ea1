// That the damped search loses nothing: against dense matrices, the argument of the determinant, and known polynomials.

#include "espalier/modes/detail/damped.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>
#include <vector>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/modes/test/damped_structures.hpp"

namespace espalier::modes {

using namespace detail;

namespace {

using Complex = std::complex<double>;

// Masses along x with springs and dashpots between any two, light and heavily damped alike; all eigenvalues of the
// matrix pair s [I 0; 0 M] - [0 I; -K -C].
TEST(FindDamped, FindsAllOfLumpedSystemsAsDenseMatricesDo) {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    Random random(11, seed);
    const int n = 2 + random.below(9);
    const auto between = [&](double low, double high) { return low * std::pow(high / low, random.uniform()); };
    Structure structure;
    structure.vertices.push_back(vertex_at(Eigen::Vector3d::Zero(), kSupport));
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n), K = M, C = M;
    for (int k = 0; k < n; ++k) {
      structure.vertices.push_back(vertex_at(Eigen::Vector3d(k + 1.0, 0, 0), kAlongX));
      M(k, k) = structure.vertices.back().mass(0, 0) = between(0.3, 30);
    }
    const auto join = [&](int a, int b, double k, double c) {
      add_spring(structure, a, b, k, c);
      for (const auto& [i, j, sign] : {std::tuple(a, a, 1), {b, b, 1}, {a, b, -1}, {b, a, -1}}) {
        if (i > 0 && j > 0) K(i - 1, j - 1) += sign * k, C(i - 1, j - 1) += sign * c;
      }
    };
    for (int k = 0; k < n; ++k) join(k, k + 1, between(10, 1e4), random.uniform() < 0.6 ? between(0.1, 300) : 0);
    for (int k = 0; k < 3; ++k) {
      const int a = random.below(n + 1), b = random.below(n + 1);
      if (a != b) join(a, b, between(1, 1e3), between(0.1, 1000));
    }
    Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(2 * n, 2 * n);
    companion.topRightCorner(n, n).setIdentity();
    companion.bottomLeftCorner(n, n) = -M.inverse() * K;
    companion.bottomRightCorner(n, n) = -M.inverse() * C;
    const Eigen::VectorXcd dense = companion.eigenvalues();
    ModesOptions options;
    options.max_frequency = options.max_decay = 1.5 * dense.cwiseAbs().maxCoeff();
    options.shapes = false;
    const Result<ModeSet> set = find_modes(comm::Comm::serial(), structure, plan_tree(structure).value(), options);
    ASSERT_TRUE(set.has_value());
    EXPECT_NE(set->certainty, Certainty::kNone) << seed << ": " << set->certificate;
    EXPECT_EQ(set->found, 2 * n) << seed << ": " << set->certificate;
    for (const Complex& s : dense) {
      double least = INFINITY;
      for (const Mode& mode : set->modes) {
        least = std::min({least, std::abs(mode.s - s), std::abs(std::conj(mode.s) - s)});
      }
      EXPECT_LT(least, 1e-6 * std::abs(s)) << seed << ": " << s;
    }
  }
}

// How often the argument of the determinant turns along the edge of the region, in steps of a twelfth of a turn at
// most.
long turns_along(const Structure& structure, const Region& region) {
  const Pass pass = make_pass(structure, plan_tree(structure).value(), 2 * std::hypot(region.left, region.top)).value();
  PassWorkspace work(pass);
  const auto angle = [&](Complex s) { return std::arg(evaluate(pass, s, work).determinant.mantissa); };
  const std::vector<Complex> corner = {
      {region.right, 0}, {region.right, region.top}, {region.left, region.top}, {region.left, 0}};
  double turned = 0;
  for (std::size_t k = 0; k + 1 < corner.size(); ++k) {
    Complex at = corner[k];
    double here = angle(at), part = 1.0 / 256, done = 0;
    while (done < 1) {
      const double next = std::min(1.0, done + part);
      const Complex to = corner[k] + next * (corner[k + 1] - corner[k]);
      const double there = angle(to), step = std::remainder(there - here, 2 * std::numbers::pi);
      if (std::abs(step) > std::numbers::pi / 6 && part > 1e-9) {
        part /= 2;
        continue;
      }
      turned += step;
      here = there;
      done = next;
      part = std::min(part * 1.5, 1.0 / 256);
    }
  }
  return std::lround(turned / std::numbers::pi);
}

TEST(FindDamped, LosesNothingOfOrdinaryStructures) {
  for (int number = 0; number < 10; ++number) {
    const Structure structure = DampedStructures(number).make();
    ModesOptions options;
    options.count = 30;
    options.shapes = false;
    const Result<ModeSet> set = find_modes(comm::Comm::serial(), structure, plan_tree(structure).value(), options);
    ASSERT_TRUE(set.has_value());
    EXPECT_NE(set->certainty, Certainty::kNone) << number << ": " << set->certificate;
    if (number % 3 != 0) continue;
    int listed = 0;
    for (const Mode& mode : set->modes) listed += mode.multiplicity * (mode.s.imag() > 0 ? 2 : 1);
    EXPECT_EQ(listed, turns_along(structure, {-set->decay, 0.4 * set->upto, set->upto})) << number;
  }
}

// A search without starts in a region with dozens of eigenvalues ends where it says.
TEST(FindDamped, EndsWithinItsWork) {
  const Structure beam = stepped_beam(20);
  const Region region{-3e4, 3e4, 3e4};
  const Pass pass = make_pass(beam, plan_tree(beam).value(), 6e4).value();
  const ComplexRootSet set = find_roots(comm::Comm::serial(), pass, region);
  EXPECT_LE(set.evaluations, kMostEvaluations);
  EXPECT_TRUE(set.checked || set.found < set.counted + 0.5);
}

TEST(FindDamped, StopsAtOnce) {
  const std::atomic<bool> stop = true;
  for (const double damping : {0.0, 40.0}) {
    const Structure beam = stepped_beam(50, damping);
    ModesOptions options;
    options.stop = &stop;
    const Result<ModeSet> set = find_modes(comm::Comm::serial(), beam, plan_tree(beam).value(), options);
    ASSERT_TRUE(set.has_value());
    EXPECT_TRUE(set->stopped);
    EXPECT_EQ(set->certainty, Certainty::kNone);
    EXPECT_LT(set->evaluations, 10);
  }
}

}  // namespace
}  // namespace espalier::modes
