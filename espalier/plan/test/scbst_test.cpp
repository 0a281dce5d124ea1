#include "espalier/plan/detail/scbst.hpp"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "espalier/graph/paths.hpp"
#include "espalier/plan/test/all_trees.hpp"

namespace espalier::plan::detail {
namespace {

TEST(ShortestCriticalBranchTree, HasTheSmallestRadiusOfAllVertices) {
  for (std::uint32_t key = 0; key < 400; ++key) {
    SCOPED_TRACE(key);
    Problem problem = random_problem(key);
    problem.pinned.clear();
    graph::ShortestPaths paths(problem.graph);
    double smallest = std::numeric_limits<double>::infinity();
    int centre = problem.root;
    for (int v = 0; v < problem.graph.vertices; ++v) {
      if (problem.root >= 0 && v != problem.root) continue;
      paths.run(problem.length, v);
      if (paths.eccentricity() < smallest) centre = v;
      smallest = std::min(smallest, paths.eccentricity());
    }
    const graph::Tree tree = shortest_critical_branch_tree(problem);
    EXPECT_EQ(graph::tree_edges(tree).size() + 1, to_index(problem.graph.vertices));
    EXPECT_EQ(tree.root, centre);
    EXPECT_EQ(measure(problem, tree).length, smallest);
  }
}

// [Liu99] eq. (13), A1: no spanning tree at all, of whatever root, has a shorter critical branch.
TEST(ShortestCriticalBranchTree, HasTheShortestCriticalBranchOfAllTrees) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    Problem problem = random_problem(key);
    problem.pinned.clear();
    const Measure found = measure(problem, shortest_critical_branch_tree(problem));
    EXPECT_NEAR(found.length, find_optimum(problem, {1, 0}), 1e-12) << key;
  }
}

// A square of equal edges: every vertex is a centre, and the vertex opposite has two ways of length 2.
TEST(ShortestCriticalBranchTree, TiesGoToTheLowestNumbers) {
  Problem problem;
  problem.graph = {4, {{2, 3}, {3, 0}, {1, 2}, {0, 1}}};
  problem.weight = problem.length = {1, 1, 1, 1};
  const graph::Tree tree = shortest_critical_branch_tree(problem);
  EXPECT_EQ(tree.root, 0);
  EXPECT_EQ(tree.parent[2], 1);
  problem.root = 3;
  EXPECT_EQ(shortest_critical_branch_tree(problem).parent[1], 0);
}

TEST(ShortestCriticalBranchTree, HoldsPinnedEdges) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    const Problem problem = random_problem(key);
    const graph::Tree tree = shortest_critical_branch_tree(problem);
    const std::vector<int> edges = graph::tree_edges(tree);
    for (std::size_t e = 0; e < problem.pinned.size(); ++e) {
      EXPECT_TRUE(!problem.pinned[e] || std::binary_search(edges.begin(), edges.end(), static_cast<int>(e))) << key;
    }
    if (problem.root >= 0) {
      EXPECT_EQ(tree.root, problem.root);
    }
  }
}

}  // namespace
}  // namespace espalier::plan::detail
