#include <atomic>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/modes/range.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

// n springs and masses, all 1: omega = 2 sin((2k - 1) pi / (4n + 2)).
double omega_of(int n, int k) { return 2 * std::sin((2 * k - 1) * std::numbers::pi / (4 * n + 2)); }

RootSet roots_of(const Structure& structure, double upto, const std::atomic<bool>* stop = nullptr) {
  const int last = static_cast<int>(structure.vertices.size()) - 1;
  const Pass pass = make_pass(structure, chain_tree(structure, last), upto).value();
  return find_roots(comm::Comm::serial(), pass, upto, 0, {}, stop);
}

TEST(FindRoots, OfAChainAreThoseOfItsFormulaAndProved) {
  const RootSet set = roots_of(spring_chain(std::vector<double>(9, 1), std::vector<double>(9, 1)), 3);
  EXPECT_TRUE(set.proved);
  EXPECT_EQ(set.counted, 9);
  ASSERT_EQ(set.roots.size(), 9u);
  for (int k = 1; k <= 9; ++k) {
    const Root& root = set.roots[static_cast<std::size_t>(k - 1)];
    const double exact = omega_of(9, k);
    EXPECT_NEAR(root.omega / exact, 1, 1e-14) << k;
    EXPECT_EQ(root.multiplicity, 1);
    EXPECT_LT(root.low, exact);
    EXPECT_GT(root.high, exact);
    EXPECT_LT(root.high - root.low, 1e-8 * exact);
  }
}

TEST(FindRoots, CountsNoMoreThanTheBound) {
  const RootSet set = roots_of(spring_chain({1, 1, 1}, {1, 1, 1}), 1.5);
  EXPECT_TRUE(set.proved);
  ASSERT_EQ(set.roots.size(), 2u);
  EXPECT_NEAR(set.roots[1].omega, omega_of(3, 2), 1e-14);
}

// Oscillators that know nothing of each other: one frequency of multiplicity three.
TEST(FindRoots, EqualFrequenciesAreOneRoot) {
  Structure structure;
  structure.vertices = {vertex_at(Eigen::Vector3d::Zero(), kSupport)};
  for (int v = 1; v <= 3; ++v) {
    structure.vertices.push_back(vertex_at(Eigen::Vector3d::UnitX(), kAlongX));
    structure.vertices.back().mass(0, 0) = 2;
    add_spring(structure, 0, v, 8);
  }
  const Pass pass = make_pass(structure, Tree{{-1, -1, -1, -1}, {-1, -1, -1, -1}}, 5).value();
  const RootSet set = find_roots(comm::Comm::serial(), pass, 5, 0);
  EXPECT_TRUE(set.proved);
  ASSERT_EQ(set.roots.size(), 1u);
  EXPECT_EQ(set.roots[0].multiplicity, 3);
  EXPECT_NEAR(set.roots[0].omega, 2, 1e-14);
}

TEST(FindRoots, StoppedProveNothing) {
  const std::atomic<bool> stop = true;
  const RootSet set = roots_of(spring_chain({1, 1}, {1, 1}), 3, &stop);
  EXPECT_TRUE(set.stopped);
  EXPECT_FALSE(set.proved);
}

}  // namespace
}  // namespace espalier::modes
