#include "espalier/plan/detail/exact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/plan/test/all_trees.hpp"
#include "espalier/plan/test/topology_files.hpp"

namespace espalier::plan::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kProblems = 400;

double least_cost(const Goal& goal, const std::vector<Measure>& all) {
  double least = kInfinity;
  for (const Measure& tree : all) {
    if (is_allowed(goal, tree)) least = std::min(least, cost(goal, tree));
  }
  return least;
}

// The points of `all` that no other betters, by increasing length.
std::vector<Measure> front_of(std::vector<Measure> all) {
  std::sort(all.begin(), all.end(), [](const Measure& a, const Measure& b) {
    return a.length != b.length ? a.length < b.length : a.weight < b.weight;
  });
  std::vector<Measure> front;
  for (const Measure& tree : all) {
    if (front.empty() || tree.weight < front.back().weight) front.push_back(tree);
  }
  return front;
}

void expect_optimum(const Problem& problem, const Goal& goal, const std::vector<Measure>& all) {
  const double least = least_cost(goal, all);
  const ExactResult found = solve_exactly(problem, goal);
  ASSERT_TRUE(found.finished);
  ASSERT_EQ(found.tree.has_value(), least < kInfinity);
  if (!found.tree) return;
  EXPECT_EQ(measure(problem, *found.tree), found.measure);
  EXPECT_TRUE(is_allowed(goal, found.measure));
  EXPECT_NEAR(cost(goal, found.measure), least, 1e-9 * least);
  EXPECT_NEAR(found.lower_bound, least, 1e-9 * least);
  for (std::size_t e = 0; e < problem.pinned.size(); ++e) {
    const std::vector<int> edges = graph::tree_edges(*found.tree);
    EXPECT_TRUE(!problem.pinned[e] || std::binary_search(edges.begin(), edges.end(), static_cast<int>(e)));
  }
}

TEST(SolveExactly, FindsWhatEnumerationFinds) {
  for (int key = 0; key < kProblems; ++key) {
    SCOPED_TRACE(key);
    const Problem problem = random_problem(static_cast<std::uint32_t>(key));
    const std::vector<Measure> all = measure_all(problem);
    for (const double beta : {0.1, 1.0, 10.0}) expect_optimum(problem, Goal{1, beta}, all);
    const double radius = least_cost(Goal{1, 0}, all);
    const double lightest = least_cost(Goal{0, 1}, all);
    expect_optimum(problem, Goal{0, 1, radius}, all);
    expect_optimum(problem, Goal{1, 0, kInfinity, lightest}, all);
    // Limits between the extremes, and one that nothing can keep.
    expect_optimum(problem, Goal{0, 1, 1.3 * radius}, all);
    expect_optimum(problem, Goal{1, 0, kInfinity, 1.1 * lightest}, all);
    expect_optimum(problem, Goal{1, 0.7, 1.2 * radius, 1.1 * lightest}, all);
    expect_optimum(problem, Goal{0, 1, 0.9 * radius}, all);
  }
}

TEST(SolveExactly, WithoutFactorsItAnswersWhetherATreeIsAllowed) {
  for (int key = 0; key < kProblems; ++key) {
    SCOPED_TRACE(key);
    const Problem problem = random_problem(static_cast<std::uint32_t>(key));
    const std::vector<Measure> all = measure_all(problem);
    const double radius = least_cost(Goal{1, 0}, all);
    const double lightest = least_cost(Goal{0, 1}, all);
    for (const double more : {1.0, 1.1, 1.2}) {
      const Goal goal{0, 0, more * radius, more * lightest};
      const ExactResult found = solve_exactly(problem, goal);
      EXPECT_TRUE(found.finished);
      EXPECT_EQ(found.tree.has_value(), least_cost(goal, all) < kInfinity);
    }
  }
}

TEST(SolveExactly, WeightsNeedNotBeWhole) {
  for (int key = 0; key < 100; ++key) {
    SCOPED_TRACE(key);
    Problem problem = random_problem(static_cast<std::uint32_t>(key));
    for (double& weight : problem.weight) weight += 0.1 / weight;
    for (double& length : problem.length) length /= 3;
    expect_optimum(problem, Goal{1, 0.37}, measure_all(problem));
  }
}

// One in five weighs up to 10^12 times the others. The rounding of sums with it must neither hide the trees without it
// nor make those with it look too heavy.
TEST(SolveExactly, HugeWeightsDoNotBlurTheOthers) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    SCOPED_TRACE(key);
    Problem problem = random_problem(key);
    Random random(5, key);
    for (double& weight : problem.weight) weight = random.below(5) == 0 ? 1e12 * random.uniform() : 0.1 * weight;
    const std::vector<Measure> all = measure_all(problem);
    const double lightest = least_cost(Goal{0, 1}, all);
    double shortest = kInfinity;
    for (const Measure& tree : all) {
      if (tree.weight <= lightest * (1 + 1e-14)) shortest = std::min(shortest, tree.length);
    }
    const ExactResult found = solve_exactly(problem, Goal{1, 0, kInfinity, lightest});
    ASSERT_TRUE(found.tree.has_value());
    EXPECT_LE(found.measure.length, shortest);
    EXPECT_LE(found.lower_bound, shortest);
    expect_optimum(problem, Goal{1, 0.1}, all);
  }
}

// Weights and lengths of all magnitudes. In these the lightest arborescence of some node leaves out a pinned edge, and
// the only allowed tree hangs it the other way round.
TEST(SolveExactly, BranchesOnPinsThatTheArborescenceLeavesOut) {
  for (const std::uint32_t key : {185u, 1043u, 1311u, 1510u, 2163u}) {
    SCOPED_TRACE(key);
    Problem problem = random_problem(key);
    Random random(99, key, 2);
    for (std::size_t e = 0; e < problem.weight.size(); ++e) {
      problem.weight[e] = std::pow(10.0, random.uniform(-9, 12));
      problem.length[e] = std::pow(10.0, random.uniform(-9, 12));
    }
    const std::vector<Measure> all = measure_all(problem);
    for (const double beta : {1e-6, 0.1, 1.0}) expect_optimum(problem, Goal{1, beta}, all);
    const double radius = least_cost(Goal{1, 0}, all);
    const double lightest = least_cost(Goal{0, 1}, all);
    for (const Goal& goal : {Goal{0, 1, radius}, Goal{0, 1, 1.3 * radius}, Goal{1, 0, kInfinity, lightest}}) {
      EXPECT_TRUE(solve_exactly(problem, goal).tree.has_value());
    }
  }
}

// Pinned edges that are heavy among few different weights, parallel edges beside them, and both limits at once: trees
// tie everywhere, lightest arborescences leave pins out, and some trees are allowed in one direction of a pin only.
Problem tied_problem(std::uint32_t key) {
  Problem problem = random_problem(key);
  Random random(17, key);
  const std::size_t own = problem.graph.edges.size();
  for (std::size_t e = 0; e < own && problem.graph.edges.size() < 13; e += 3) {
    problem.graph.edges.push_back(problem.graph.edges[e]);
  }
  const std::size_t edges = problem.graph.edges.size();
  problem.weight.resize(edges);
  problem.length.resize(edges);
  problem.pinned.assign(edges, 0);
  DisjointSets joined(to_index(problem.graph.vertices));
  for (std::size_t e = 0; e < edges; ++e) {
    problem.weight[e] = random.below(3) == 0 ? 100 : 1 + random.below(2);
    problem.length[e] = 1 + random.below(2);
    if (random.below(2) > 0 || !joined.join(problem.graph.edges[e].a, problem.graph.edges[e].b)) continue;
    problem.pinned[e] = 1;
    problem.weight[e] = 100;
  }
  problem.root = key % 2 == 0 ? -1 : random.below(problem.graph.vertices);
  return problem;
}

TEST(SolveExactly, KeepsPinsUnderBothLimitsWhereMostTreesTie) {
  int allowed = 0, refused = 0;
  for (std::uint32_t key = 0; key < 120; ++key) {
    SCOPED_TRACE(key);
    const Problem problem = tied_problem(key);
    const std::vector<Measure> all = measure_all(problem);
    const double radius = least_cost(Goal{1, 0}, all);
    const double lightest = least_cost(Goal{0, 1}, all);
    for (const double longer : {1.0, 1.5}) {
      for (const double heavier : {1.0, 1.01, 1.5}) {
        for (const auto& [a, b] :
             {std::pair(0.0, 0.0), std::pair(1.0, 0.01), std::pair(0.0, 1.0), std::pair(1.0, 0.0)}) {
          const Goal goal{a, b, longer * radius, heavier * lightest};
          expect_optimum(problem, goal, all);
          ++(least_cost(goal, all) < kInfinity ? allowed : refused);
        }
      }
    }
  }
  EXPECT_GT(allowed, 1000);
  EXPECT_GT(refused, 40);
}

TEST(SolveExactly, AKnownTreeIsKeptWhereNothingIsBetter) {
  const Problem problem = read_problem(read_data("liu1999_fig2a"));
  const ExactResult first = solve_exactly(problem, Goal{1, 1});
  const ExactResult again = solve_exactly(problem, Goal{1, 1}, first.tree);
  EXPECT_EQ(again.tree, first.tree);
  EXPECT_LE(again.nodes, first.nodes);
}

TEST(SolveExactly, StoppedEarlyItsBoundIsBelowTheOptimum) {
  const Problem problem = read_problem(read_data("h08_ladder_n20"));
  for (int most_nodes = 1; most_nodes < 60; most_nodes += 7) {
    ExactOptions options;
    options.most_nodes = most_nodes;
    const ExactResult found = solve_exactly(problem, Goal{1, 1}, {}, options);
    EXPECT_LE(found.nodes, most_nodes);
    EXPECT_LE(found.lower_bound, 119);
    EXPECT_TRUE(!found.tree || cost(Goal{1, 1}, found.measure) >= 119);
    EXPECT_FALSE(found.finished && found.lower_bound < 119);
  }
}

class PublishedOptima : public testing::TestWithParam<const char*> {};

TEST_P(PublishedOptima, AreFoundAndProved) {
  const nlohmann::json data = read_data(GetParam());
  const Problem problem = read_problem(data);
  const nlohmann::json& exact = data["exact"];
  for (const auto& [beta, record] : exact["mccst"].items()) {
    const Goal goal{1, std::stod(beta)};
    const ExactResult found = solve_exactly(problem, goal);
    EXPECT_TRUE(found.finished);
    EXPECT_NEAR(cost(goal, found.measure), record["cost"].get<double>(), 1e-9) << "beta " << beta;
  }
  const ExactResult scbmwst = solve_exactly(problem, Goal{0, 1, exact["radius"]});
  EXPECT_EQ(scbmwst.measure, (Measure{exact["scbmwst"]["radius"], exact["scbmwst"]["weight"]}));
  const ExactResult mwscbst = solve_exactly(problem, Goal{1, 0, kInfinity, exact["mst_weight"]});
  EXPECT_EQ(mwscbst.measure, (Measure{exact["mwscbst"]["radius"], exact["mwscbst"]["weight"]}));
  const FrontResult front = find_front(problem);
  EXPECT_TRUE(front.finished);
  std::vector<Measure> expected;
  for (const nlohmann::json& point : exact["pareto_front"]) expected.push_back({point[0], point[1]});
  EXPECT_EQ(front.points, expected);
}

INSTANTIATE_TEST_SUITE_P(All, PublishedOptima,
                         testing::Values("h01_tree_n8", "h04_tree_n30", "h08_ladder_n20", "h11_grid_4x6", "h14_stewart",
                                         "h16_3rrr", "h21_rand_n15", "h23_rand_n28"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(SolveExactly, ProvesTheReconstructedFigure2a) {
  for (const auto& [name, optimum] : {std::pair("liu1999_fig2a", 196.0), std::pair("liu1999_fig2a_variantB", 196.0),
                                      std::pair("liu1999_fig2a_variantC", 199.0)}) {
    const ExactResult found = solve_exactly(read_problem(read_data(name)), Goal{1, 1});
    EXPECT_TRUE(found.finished);
    EXPECT_EQ(cost(Goal{1, 1}, found.measure), optimum) << name;
  }
}

TEST(FindFront, StoppedEarlyItHoldsTheLongestPointsAlone) {
  const nlohmann::json data = read_data("h08_ladder_n20");
  const Problem problem = read_problem(data);
  const FrontResult whole = find_front(problem);
  ASSERT_GT(whole.points.size(), 2u);
  for (std::int64_t most_nodes = 1; most_nodes < whole.nodes; most_nodes += 1 + whole.nodes / 9) {
    ExactOptions options;
    options.most_nodes = most_nodes;
    const FrontResult front = find_front(problem, options);
    EXPECT_FALSE(front.finished);
    EXPECT_LE(front.nodes, most_nodes);
    ASSERT_LE(front.points.size(), whole.points.size());
    if (front.points.empty()) continue;
    EXPECT_TRUE(std::equal(front.points.rbegin(), front.points.rend() - 1, whole.points.rbegin()));
    const Measure& last = whole.points[whole.points.size() - front.points.size()];
    EXPECT_EQ(front.points.front().weight, last.weight);
    EXPECT_GE(front.points.front().length, last.length);
  }
}

TEST(FindFront, IsWhatEnumerationFinds) {
  for (int key = 0; key < kProblems; ++key) {
    SCOPED_TRACE(key);
    const Problem problem = random_problem(static_cast<std::uint32_t>(key));
    const FrontResult front = find_front(problem);
    EXPECT_TRUE(front.finished);
    EXPECT_EQ(front.points, front_of(measure_all(problem)));
    for (std::size_t i = 0; i < front.points.size(); ++i) {
      EXPECT_EQ(measure(problem, front.trees[i]), front.points[i]);
    }
  }
}

}  // namespace
}  // namespace espalier::plan::detail
