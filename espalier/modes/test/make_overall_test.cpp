#include <gtest/gtest.h>

#include "espalier/modes/test/structures.hpp"
#include "espalier/modes/transfer.hpp"

namespace espalier::modes {
namespace {

using Kind = OverallUnknown::Kind;

Structure three() { return spring_chain({1, 1, 1}, {1, 1, 1}); }

OverallEquation equation_of(const Structure& structure, int root) {
  return make_overall(structure, chain_tree(structure, root)).value();
}

// The support is a tip, the free end the root: one displacement unknown there, one force here.
TEST(MakeOverall, AChainHasTwoBoundaries) {
  const OverallEquation equation = equation_of(three(), 3);
  EXPECT_EQ(equation.displacements, (std::vector<int>{0}));
  EXPECT_EQ(equation.states, (std::vector<int>{0, 9}));
  EXPECT_EQ(equation.boundaries, 2);
  EXPECT_EQ(equation.order, 2);
  EXPECT_EQ(equation.steps.size(), 3u);
  ASSERT_EQ(equation.unknowns.size(), 2u);
  for (const OverallUnknown& unknown : equation.unknowns) {
    const bool is_root = unknown.kind == Kind::kRoot;
    EXPECT_EQ(unknown.fixed, !is_root);
    EXPECT_EQ(unknown.first, is_root ? 0 : 1);
    EXPECT_EQ(unknown.vertex, is_root ? 3 : 0);
  }
  EXPECT_EQ(equation.vertices.front().vertex, 1);
  EXPECT_EQ(equation.vertices.back().vertex, 3);
}

// One set of unknowns for both sides of a cut, and two states for each direction.
TEST(MakeOverall, ALoopBringsItsStatesOnce) {
  Structure ring = three();
  add_spring(ring, 1, 3, 2);
  const OverallEquation equation = equation_of(ring, 3);
  EXPECT_EQ(equation.loops, 1);
  EXPECT_EQ(equation.order, equation.boundaries + 2);
  int opposite = 0, cuts = 0;
  for (const OverallVertex& vertex : equation.vertices) {
    for (const OverallInput& input : vertex.inputs) {
      if (input.unknown < 0 || equation.unknowns[static_cast<std::size_t>(input.unknown)].kind != Kind::kCut) continue;
      ++cuts;
      opposite += input.opposite ? 1 : 0;
    }
  }
  EXPECT_EQ(cuts, 2);
  EXPECT_EQ(opposite, 1);
}

// A spring between two supports moves nothing and is a part of its own.
TEST(MakeOverall, EveryPartHasARoot) {
  Structure two = three();
  two.vertices.push_back(vertex_at(Eigen::Vector3d(5, 0, 0), kSupport));
  add_spring(two, 0, 4, 1);
  Tree tree = chain_tree(three(), 3);
  tree.parent.push_back(-1);
  tree.element.push_back(-1);
  const OverallEquation equation = make_overall(two, tree).value();
  EXPECT_EQ(equation.boundaries, 4);
  EXPECT_EQ(equation.vertices.back().vertex, 4);
  int roots = 0;
  for (const OverallUnknown& unknown : equation.unknowns) roots += unknown.kind == Kind::kRoot ? 1 : 0;
  EXPECT_EQ(roots, 2);
}

}  // namespace
}  // namespace espalier::modes
