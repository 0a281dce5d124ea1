// Chains of so many elements that a fixed margin of pivots says nothing, against the closed form of the one beam, shaft
// or row of springs that they are.

#include "espalier/base/index.hpp"
#include "espalier/modes/modes.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace espalier::modes {
namespace {

constexpr double kLength = 10;
const std::vector<double> kCantilever = {1.8751040687119612, 4.694091132974174, 7.854757438237613, 10.995540734875467,
                                         14.13716839104647};

// Clamped at vertex 0.
Structure chain_of(int elements, const Directions& moves) {
  Structure chain;
  chain.vertices.resize(to_index(elements) + 1);
  for (int k = 0; k <= elements; ++k) {
    Vertex& vertex = chain.vertices[to_index(k)];
    vertex.point = {kLength * k / elements, 0, 0};
    if (k > 0) vertex.moves = moves;
  }
  return chain;
}

Tree tree_of(int elements) {
  Tree tree{std::vector<int>(to_index(elements) + 1, -1),
            std::vector<int>(to_index(elements) + 1, -1)};
  for (int k = 1; k < elements; ++k) {
    tree.parent[to_index(k)] = k + 1;
    tree.element[to_index(k)] = k;
  }
  return tree;
}

ModeSet modes_of(const Structure& chain, int elements, double upto) {
  ModesOptions options;
  options.max_frequency = upto;
  options.shapes = false;
  const Result<ModeSet> set = find_modes(comm::Comm::serial(), chain, tree_of(elements), options);
  EXPECT_TRUE(set.has_value());
  return set ? *set : ModeSet{};
}

void expect_modes(const ModeSet& set, const std::vector<double>& exact, double tolerance) {
  EXPECT_EQ(set.certainty, Certainty::kProved) << set.certificate;
  ASSERT_EQ(set.modes.size(), exact.size()) << set.certificate;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    EXPECT_EQ(set.modes[k].multiplicity, 1);
    EXPECT_NEAR(set.modes[k].s.imag() / exact[k], 1, tolerance) << k;
  }
}

TEST(LongChains, BendAsOneBeam) {
  const double EI = 2.1e11 * 2.1333e-7, rho_A = 7850 * 1.6e-3;
  std::vector<double> exact;
  for (const double z : kCantilever) exact.push_back(z * z / (kLength * kLength) * std::sqrt(EI / rho_A));
  for (const int elements : {300, 3000, 10000}) {
    SCOPED_TRACE(elements);
    Structure chain = chain_of(elements, {false, true, false, false, false, true});
    for (int k = 0; k < elements; ++k) {
      Beam beam;
      beam.length = kLength / elements;
      beam.EIy = beam.EIz = EI;
      beam.rho_A = rho_A;
      beam.axial = beam.torsion = beam.bend_z = false;
      chain.elements.push_back({"beam", beam, {k, k + 1}, {Matrix6::Identity(), Matrix6::Identity()}});
    }
    expect_modes(modes_of(chain, elements, 1.01 * exact.back()), exact, 1e-8);
  }
}

// n masses on n springs in a row: 2 sqrt(k / m) sin((2 j - 1) pi / (4 n + 2)).
TEST(LongChains, SpringsAndMassesInARow) {
  const int elements = 10000;
  const double k = 1e6, m = 0.5;
  Structure chain = chain_of(elements, {true, false, false, false, false, false});
  std::vector<double> exact;
  for (int j = 1; j <= 5; ++j)
    exact.push_back(2 * std::sqrt(k / m) * std::sin((2 * j - 1) * M_PI / (4 * elements + 2)));
  for (int n = 0; n < elements; ++n) {
    chain.vertices[to_index(n) + 1].mass(0, 0) = m;
    Hinge spring;
    spring.kind.fill(Hinge::Kind::kReleased);
    spring.kind[0] = Hinge::Kind::kElastic;
    spring.stiffness[0] = k;
    chain.elements.push_back({"spring", spring, {n, n + 1}, {Matrix6::Identity(), Matrix6::Identity()}});
  }
  expect_modes(modes_of(chain, elements, 1.01 * exact.back()), exact, 1e-10);
}

}  // namespace
}  // namespace espalier::modes
