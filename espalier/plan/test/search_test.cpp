#include "espalier/plan/detail/search.hpp"

#include <array>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/plan/generate.hpp"
#include "espalier/plan/test/all_trees.hpp"
#include "espalier/plan/test/topology_files.hpp"

namespace espalier::plan::detail {
namespace {

constexpr double kRounding = 1e-9;
constexpr std::array<double, 3> kBetas = {0.1, 1, 10};
constexpr double kInfinite = std::numeric_limits<double>::infinity();

SearchOptions quick() {
  SearchOptions options;
  options.effort = 0.01;
  return options;
}

// A spanning tree with all pinned edges, parents first.
void expect_valid(const Problem& problem, const graph::Tree& tree) {
  const auto n = to_index(problem.graph.vertices);
  ASSERT_EQ(tree.order.size(), n);
  std::vector<char> seen(n, 0);
  for (const int v : tree.order) {
    const int parent = tree.parent[v];
    if (v == tree.root) {
      EXPECT_EQ(parent, -1);
    } else {
      ASSERT_GE(parent, 0);
      EXPECT_TRUE(seen[parent]);
      const graph::Edge& edge = problem.graph.edges[tree.parent_edge[v]];
      EXPECT_TRUE((edge.a == v && edge.b == parent) || (edge.b == v && edge.a == parent));
    }
    EXPECT_FALSE(seen[v]);
    seen[v] = 1;
  }
  const std::vector<int> edges = graph::tree_edges(tree);
  for (int e = 0; e < static_cast<int>(problem.graph.edges.size()); ++e) {
    EXPECT_TRUE(!problem.is_pinned(e) || std::binary_search(edges.begin(), edges.end(), e));
  }
  EXPECT_TRUE(problem.root < 0 || tree.root == problem.root);
}

TEST(SearchTree, FindsTheOptimumOfMostSmallGraphs) {
  int missed = 0;
  for (std::uint32_t key = 0; key < 300; ++key) {
    const Problem problem = random_problem(key);
    const Goal goal = {1, kBetas[key % kBetas.size()]};
    const double optimum = find_optimum(problem, goal);
    const SearchResult result = search_tree(problem, goal, quick());
    ASSERT_TRUE(result.tree);
    expect_valid(problem, *result.tree);
    EXPECT_EQ(result.measure, measure(problem, *result.tree));
    EXPECT_GE(result.cost, optimum * (1 - kRounding));
    missed += result.cost > optimum * (1 + kRounding) ? 1 : 0;
  }
  EXPECT_LE(missed, 9);
}

TEST(SearchTree, KeepsLimitsWhereATreeCan) {
  int allowed = 0;
  int found = 0;
  for (std::uint32_t key = 0; key < 300; ++key) {
    const Problem problem = random_problem(key);
    Random random(31, key);
    const Bounds bounds = find_bounds(problem, {1, 1});
    Goal goal;
    goal.length_factor = random.below(2);
    goal.weight_factor = random.below(2);
    if (random.below(3) > 0) goal.most_length = bounds.length * random.uniform(0.9, 1.5);
    if (random.below(3) > 0) goal.most_weight = bounds.weight * random.uniform(0.9, 1.5);
    const double optimum = find_optimum(problem, goal);
    const SearchResult result = search_tree(problem, goal, quick());
    if (optimum < kInfinite) ++allowed;
    if (!result.tree) continue;
    ++found;
    expect_valid(problem, *result.tree);
    EXPECT_TRUE(is_allowed(goal, result.measure));
    EXPECT_GE(result.cost, optimum * (1 - kRounding));
  }
  EXPECT_LE(found, allowed);
  EXPECT_GE(found, allowed * 95 / 100);
}

TEST(SearchTree, ComesNearTheKnownOptimaOfTheFiles) {
  for (const char* name : {"h01_tree_n8", "h04_tree_n30", "h08_ladder_n20", "h11_grid_4x6", "h14_stewart", "h16_3rrr",
                           "h21_rand_n15", "h23_rand_n28"}) {
    const nlohmann::json data = read_data(name);
    const Problem problem = read_problem(data);
    for (const auto& [beta, known] : data["exact"]["mccst"].items()) {
      const Goal goal = {1, std::stod(beta)};
      SearchOptions options;
      options.effort = 0.2;
      const SearchResult result = search_tree(problem, goal, options);
      ASSERT_TRUE(result.tree);
      EXPECT_GE(result.cost, known["cost"].get<double>() * (1 - kRounding)) << name;
      EXPECT_LE(result.cost, known["cost"].get<double>() * 1.01) << name << " beta " << beta;
    }
  }
}

TEST(SearchTree, IsWithinHalfAPercentOfItsBoundWhereLengthIsWeight) {
  const Network network = generate_random(4000, 16'000, {.most_weight = 20});
  const Problem problem = {network.graph, network.weight, network.length, {}, -1};
  const Goal goal = {1, 1};
  const SearchResult result = search_tree(problem, goal);
  ASSERT_TRUE(result.tree);
  expect_valid(problem, *result.tree);
  EXPECT_LE(result.cost, 1.005 * result.bounds.lb10);
}

// Every step is O(E log V), even where the tree is a chain: this would take minutes if a step were quadratic.
TEST(SearchTree, TakesALongLadder) {
  const Network network = generate_ladder(20'000);
  const Problem problem = {network.graph, network.weight, network.length, {}, 0};
  SearchOptions options;
  options.effort = 0.01;
  const SearchResult result = search_tree(problem, {1, 1}, options);
  ASSERT_TRUE(result.tree);
  EXPECT_LE(result.cost, 1.05 * result.bounds.lb10);
}

TEST(SearchTree, GivesTheSameTreeTwice) {
  const Network network = generate_random(60, 150);
  const Problem problem = {network.graph, network.weight, network.length, {}, -1};
  const SearchResult one = search_tree(problem, {1, 0.3}, quick());
  const SearchResult two = search_tree(problem, {1, 0.3}, quick());
  EXPECT_EQ(one.tree, two.tree);
}

TEST(SearchTree, EndsEarlyWhenTold) {
  const Network network = generate_random(60, 150);
  const Problem problem = {network.graph, network.weight, network.length, {}, -1};
  SearchOptions options;
  int asked = 0;
  options.stop = [&] { return ++asked > 3; };
  const SearchResult result = search_tree(problem, {1, 1}, options);
  EXPECT_TRUE(result.tree);
  EXPECT_EQ(asked, 4);
}

TEST(SearchTree, TakesOneVertexAndOneEdge) {
  const SearchResult alone = search_tree({{1, {}}, {}, {}, {}, -1}, {1, 1});
  ASSERT_TRUE(alone.tree);
  EXPECT_EQ(alone.tree->order, (std::vector<int>{0}));
  const SearchResult pair = search_tree({{2, {{0, 1}}}, {3}, {5}, {}, -1}, {1, 1});
  ASSERT_TRUE(pair.tree);
  EXPECT_EQ(pair.measure, (Measure{5, 3}));
}

}  // namespace
}  // namespace espalier::plan::detail
