#include "espalier/plan/detail/all_trees.hpp"

#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/plan/test/all_trees.hpp"

namespace espalier::plan::detail {
namespace {

Problem complete(int vertices) {
  Problem problem;
  problem.graph.vertices = vertices;
  for (int a = 0; a < vertices; ++a) {
    for (int b = a + 1; b < vertices; ++b) problem.graph.edges.push_back({a, b});
  }
  return problem;
}

// Cayley: n^(n-2) trees on n vertices.
TEST(ListRootedTrees, OfTheCompleteGraphAreAsManyAsCayleyCounts) {
  Problem problem = complete(5);
  EXPECT_EQ(list_rooted_trees(problem, 1000)->size(), 125U * 5);
  problem.root = 3;
  EXPECT_EQ(list_rooted_trees(problem, 1000)->size(), 125U);
}

TEST(ListRootedTrees, AreThoseOfAllSetsOfEdges) {
  for (std::uint32_t key = 0; key < 100; ++key) {
    const Problem problem = random_problem(key);
    std::set<std::vector<int>> expected, found;
    for_each_tree(problem, [&](const std::vector<int>& edges) { expected.insert(edges); });
    const auto trees = list_rooted_trees(problem, 100'000);
    ASSERT_TRUE(trees) << key;
    std::set<std::pair<std::vector<int>, int>> rooted;
    for (const graph::Tree& tree : *trees) {
      found.insert(graph::tree_edges(tree));
      rooted.emplace(graph::tree_edges(tree), tree.root);
      if (problem.root >= 0) {
        EXPECT_EQ(tree.root, problem.root);
      }
    }
    EXPECT_EQ(found, expected) << key;
    EXPECT_EQ(rooted.size(), trees->size()) << "one of them stands twice";
    EXPECT_EQ(trees->size(), expected.size() * (problem.root >= 0 ? 1 : to_index(problem.graph.vertices)));
  }
}

TEST(ListRootedTrees, AreNoneWhereThereAreMoreThanAskedFor) {
  Problem problem = complete(4);
  problem.root = 0;
  EXPECT_EQ(list_rooted_trees(problem, 16)->size(), 16U);
  EXPECT_FALSE(list_rooted_trees(problem, 15));
  problem.root = -1;
  EXPECT_EQ(list_rooted_trees(problem, 64)->size(), 64U);
  EXPECT_FALSE(list_rooted_trees(problem, 63)) << "a tree counts once for each root";
}

// Without loops there is one tree, however large.
TEST(ListRootedTrees, OfALongChainIsTheChain) {
  Problem problem;
  problem.graph.vertices = 2000;
  for (int v = 1; v < 2000; ++v) problem.graph.edges.push_back({v - 1, v});
  problem.root = 0;
  const auto trees = list_rooted_trees(problem, 1);
  ASSERT_TRUE(trees);
  EXPECT_EQ(trees->front().parent[1999], 1998);
}

}  // namespace
}  // namespace espalier::plan::detail
