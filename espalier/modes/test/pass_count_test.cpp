#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

using Eigen::Vector3d;

int count_at(const Structure& structure, const Tree& tree, double omega) {
  const Pass pass = make_pass(structure, tree, 2 * omega).value();
  PassWorkspace work(pass);
  const Count found = count_below(pass, omega, work);
  EXPECT_TRUE(found.is_safe()) << omega;
  return found.below;
}

// 8 springs and masses, all 1: omega = 2 sin((2k - 1) pi / 34). Rooted anywhere, by springs passed and by sums.
TEST(CountBelow, OfAChainIsThatOfItsFormula) {
  const Structure chain = spring_chain(std::vector<double>(8, 1), std::vector<double>(8, 1));
  for (const int root : {1, 4, 8}) {
    for (int k = 1; k <= 8; ++k) {
      const double omega = 2 * std::sin((2 * k - 1) * std::numbers::pi / 34);
      EXPECT_EQ(count_at(chain, chain_tree(chain, root), omega * 0.999), k - 1);
      EXPECT_EQ(count_at(chain, chain_tree(chain, root), omega * 1.001), k);
    }
  }
}

// A rod clamped at one end: omega = (k - 1/2) pi / l sqrt(E / rho), over as many slices as it takes.
TEST(CountBelow, OfARodCountsSlicesTogether) {
  const Structure rod = rod_chain({0});
  const double unit = std::numbers::pi / 0.2 * std::sqrt(6.9e10 / 2730);
  for (int k = 0; k <= 6; ++k) EXPECT_EQ(count_at(rod, chain_tree(rod, 1), k * unit + 1), k);
}

// Two masses of 1 on a rigid rod along it and a spring of 8: one frequency of 2.
TEST(CountBelow, RigidRowsTakeMotionsAway) {
  Structure structure;
  structure.vertices = {vertex_at(Vector3d::Zero(), kAlongX), vertex_at(Vector3d::UnitX(), kAlongX)};
  structure.vertices[0].mass(0, 0) = structure.vertices[1].mass(0, 0) = 1;
  structure.vertices[0].stiffness(0, 0) = 8;
  Hinge rod;
  rod.kind.fill(Hinge::Kind::kReleased);
  rod.kind[0] = Hinge::Kind::kRigid;
  structure.elements.push_back({"rod", rod, {0, 1}, {Matrix6::Identity(), Matrix6::Identity()}});
  for (const Tree& tree : {Tree{{-1, 0}, {-1, 0}}, Tree{{1, -1}, {0, -1}}}) {
    EXPECT_EQ(count_at(structure, tree, 1.99), 0);
    EXPECT_EQ(count_at(structure, tree, 2.01), 1);
    EXPECT_EQ(count_at(structure, tree, 50), 1);
  }
}

}  // namespace
}  // namespace espalier::modes
