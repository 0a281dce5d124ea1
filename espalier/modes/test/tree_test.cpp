#include <gtest/gtest.h>

#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

// support -(0)- v1 -(1)- v2 -(2)- v3: network vertices 0 1 2, edges 0 1 for elements 1 2. Rooted at v2.
TEST(MakeTree, SpeaksOfTheStructuresOwnNumbers) {
  const Structure chain = spring_chain({1, 1, 1}, {1, 1, 1});
  const StructureNetwork network = make_network(chain);
  ASSERT_EQ(network.vertex, (std::vector<int>{1, 2, 3}));
  ASSERT_EQ(network.element, (std::vector<int>{1, 2}));
  plan::Plan plan;
  plan.tree.parent = {1, -1, 1};
  plan.tree.parent_edge = {0, -1, 1};
  const Tree tree = make_tree(chain, network, plan);
  EXPECT_EQ(tree.parent, (std::vector<int>{-1, 2, -1, 2}));
  EXPECT_EQ(tree.element, (std::vector<int>{-1, 1, -1, 2}));
}

}  // namespace
}  // namespace espalier::modes
