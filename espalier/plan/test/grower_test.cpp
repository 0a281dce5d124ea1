#include "espalier/plan/detail/grower.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/graph/paths.hpp"
#include "espalier/plan/generate.hpp"
#include "espalier/plan/test/all_trees.hpp"

namespace espalier::plan::detail {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Larger than all_trees.hpp's, with pinned edges in one of two.
Problem larger_problem(std::uint32_t key) {
  Random random(41, key);
  const int vertices = 2 + random.below(60);
  const Network network =
      generate_random(vertices, vertices - 1 + random.below(2 * vertices), {.own_length = true, .seed = key});
  Problem problem = {network.graph, network.weight, network.length, {}, -1};
  if (key % 2 == 0) return problem;
  DisjointSets joined(to_index(vertices));
  problem.pinned.assign(problem.graph.edges.size(), 0);
  for (std::size_t e = 0; e < problem.pinned.size(); ++e) {
    if (random.below(5) == 0) problem.pinned[e] = joined.join(problem.graph.edges[e].a, problem.graph.edges[e].b);
  }
  return problem;
}

// A tree hung by its edges anew: the same parents, all pinned edges, the measure as told.
void expect_true(const Problem& problem, const graph::Tree& tree, const Measure& told) {
  const std::vector<int> edges = graph::tree_edges(tree);
  ASSERT_EQ(static_cast<int>(edges.size()), problem.graph.vertices - 1);
  const graph::Tree anew = graph::hang_tree(problem.graph, edges, tree.root);
  ASSERT_EQ(anew.order.size(), tree.parent.size());
  EXPECT_EQ(anew.parent, tree.parent);
  EXPECT_EQ(anew.parent_edge, tree.parent_edge);
  EXPECT_EQ(measure(problem, tree), told);
  for (int e = 0; e < static_cast<int>(problem.graph.edges.size()); ++e) {
    EXPECT_TRUE(!problem.is_pinned(e) || std::binary_search(edges.begin(), edges.end(), e));
  }
}

double lightest_weight(const Problem& problem) {
  double weight = 0;
  for (const int e : graph::kruskal(problem.graph, problem.weight, problem.pinned)) weight += problem.weight[e];
  return weight;
}

TEST(Grow, WithoutSlopeGivesTheLightestTree) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    const Problem problem = larger_problem(key);
    Grower grower(problem);
    graph::Tree tree;
    const Measure found = grower.grow(tree, 0, {}, 0);
    expect_true(problem, tree, found);
    EXPECT_EQ(found.weight, lightest_weight(problem));
  }
}

TEST(Grow, WithoutWeightGivesShortestPaths) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    Problem problem = larger_problem(key);
    problem.pinned.clear();
    Grower grower(problem);
    graph::Tree tree;
    const Measure found = grower.grow(tree, 0, std::vector<double>(problem.weight.size(), 0), 1);
    expect_true(problem, tree, found);
    graph::ShortestPaths paths(problem.graph);
    paths.run(problem.length, 0);
    EXPECT_EQ(found.length, paths.eccentricity());
  }
}

TEST(Regrow, WithoutACapGivesTheLightestTree) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    const Problem problem = larger_problem(key);
    Grower grower(problem);
    graph::Tree tree;
    grower.grow(tree, 0, {}, 10);
    const Measure found = grower.regrow(tree, kInfinite);
    expect_true(problem, tree, found);
    EXPECT_EQ(found.weight, lightest_weight(problem));
  }
}

TEST(Regrow, KeepsTheCapAndNeverMakesHeavier) {
  int lighter = 0;
  for (std::uint32_t key = 0; key < 300; ++key) {
    const Problem problem = larger_problem(key);
    Grower grower(problem);
    graph::Tree tree;
    Measure found = grower.grow(tree, 0, {}, 2);
    for (const double room : {1.0, 1.1, 1.5}) {
      const Measure before = found;
      const double cap = room * before.length;
      found = grower.regrow(tree, cap);
      expect_true(problem, tree, found);
      EXPECT_LE(found.length, cap);
      EXPECT_LE(found.weight, before.weight);
      lighter += found.weight < before.weight ? 1 : 0;
    }
  }
  EXPECT_GT(lighter, 300);
}

//   0 --9-- 1       The branch 1 - 2 hangs on its heavy end. With room for it, it is turned over to hang by 2;
//   |       |       the critical branch then is 0 - 2 - 1 = 7 instead of 0 - 1 - 2 = 10.
//   6       1
//   +------ 2
TEST(Regrow, TurnsABranchOver) {
  const Problem problem = {{3, {{0, 1}, {1, 2}, {0, 2}}}, {9, 1, 6}, {9, 1, 6}, {}, 0};
  Grower grower(problem);
  graph::Tree tree = graph::hang_tree(problem.graph, std::vector<int>{0, 1}, 0);
  EXPECT_EQ(grower.regrow(tree, 10), (Measure{7, 7}));
  EXPECT_EQ(tree.parent, (std::vector<int>{-1, 2, 0}));
}

TEST(Recentre, HangsTheTreeOnACentre) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    const Problem problem = larger_problem(key);
    Grower grower(problem);
    graph::Tree tree;
    Measure found = grower.grow(tree, 0, {}, 0.1);
    const double radius = graph::find_centres(tree, problem.length).radius;
    found.length = grower.recentre(tree);
    expect_true(problem, tree, found);
    EXPECT_EQ(found.length, radius);
  }
}

}  // namespace
}  // namespace espalier::plan::detail
