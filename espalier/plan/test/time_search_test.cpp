#include "espalier/plan/detail/time_search.hpp"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "espalier/model/generate.hpp"
#include "espalier/plan/detail/time_bound.hpp"
#include "espalier/plan/explain.hpp"
#include "espalier/plan/schedule.hpp"
#include "espalier/plan/test/small_plans.hpp"

namespace espalier::plan::detail {
namespace {

PlanOptions by_time(int workers = 1, Method method = Method::kAuto) {
  PlanOptions options;
  options.objective = Objective::kTime;
  options.workers = workers;
  options.method = method;
  return options;
}

Network network_of(const Result<model::ModelSpec>& spec) {
  EXPECT_TRUE(spec);
  const Result<model::Model> model = model::compile(*spec);
  EXPECT_TRUE(model);
  return make_network(*model, make_mechanism(*model), Weights::kLiu);
}

// Of all trees, on the ground or, where there is none, on every vertex.
double least_time(const Network& network, int workers) {
  double least = std::numeric_limits<double>::infinity();
  for (const std::vector<int>& tree : all_trees(network.graph)) {
    for (int root = 0; root < network.graph.vertices; ++root) {
      if (network.ground >= 0 && root != network.ground) continue;
      least = std::min(least, predicted_time(hand_plan(network, tree, root), {}, workers).total);
    }
  }
  return least;
}

// The joints of the tree with the fewest coordinates, and nothing for its loops: no bound may be below that.
double least_recursion(const Network& network) {
  const std::vector<double> freedom(network.freedom.begin(), network.freedom.end());
  WorkCount work;
  for (const int e : graph::kruskal(network.graph, freedom)) {
    work[Work::kJoint] += 1;
    work[Work::kCoordinate] += network.freedom[e];
  }
  if (network.ground < 0) {
    work[Work::kJoint] += 1;
    work[Work::kCoordinate] += 6;
  }
  return time_of(work, {});
}

TEST(MakePlan, ByTimeFindsTheFastestOfAllTreesOfSmallMechanisms) {
  for (std::uint32_t key = 0; key < 60; ++key) {
    const Network network = small_mechanism(key);
    for (const int workers : {1, 3}) {
      const Result<Plan> plan = make_plan(network, by_time(workers));
      ASSERT_TRUE(plan);
      EXPECT_TRUE(plan->optimal);
      EXPECT_DOUBLE_EQ(plan->cost, least_time(network, workers)) << key;
      EXPECT_DOUBLE_EQ(plan->cost, predicted_time(*plan, {}, workers).total) << key;
      EXPECT_EQ(plan->lower_bound, plan->cost);
    }
  }
}

// Without enumeration: never below the optimum, seldom above it, and the bound is one.
TEST(MakePlan, ByTimeSearchesWellAndBoundsTruly) {
  int missed = 0;
  for (std::uint32_t key = 0; key < 60; ++key) {
    const Network network = small_mechanism(key);
    for (const int workers : {1, 3}) {
      const double least = least_time(network, workers);
      const Result<Plan> plan = make_plan(network, by_time(workers, Method::kSearch));
      ASSERT_TRUE(plan);
      EXPECT_GE(plan->cost, least * (1 - 1e-12)) << key;
      EXPECT_LE(plan->lower_bound, least * (1 + 1e-12)) << key;
      EXPECT_GE(plan->lower_bound, least_recursion(network) / workers * (1 - 1e-12)) << key;
      EXPECT_LE(plan->cost, 1.5 * least) << key;
      if (plan->cost > least * (1 + 1e-9)) ++missed;
    }
  }
  EXPECT_LE(missed, 12) << "of 120";
}

// Every joint is a hinge, so that [Liu99] finds all trees equal; cutting next to the ground is fastest.
TEST(MakePlan, ByTimeCutsALadderIntoShortBranches) {
  const Result<Plan> plan = make_plan(network_of(model::generate_ladder(50)), by_time());
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->measure.length, 2);
  EXPECT_FALSE(plan->optimal);
  EXPECT_LT(gap(*plan), 1);
}

TEST(MakePlan, ByTimeKeepsPinsAndForcedCuts) {
  for (std::uint32_t key = 0; key < 40; ++key) {
    const Network network = small_mechanism(key);
    const auto edges = static_cast<int>(network.graph.edges.size());
    PlanOptions options = by_time(1, key % 2 == 0 ? Method::kAuto : Method::kSearch);
    options.pin = {static_cast<int>(key) % edges};
    if (edges >= network.graph.vertices) options.cut = {(static_cast<int>(key) + 1) % edges};
    const Result<Plan> plan = make_plan(network, options);
    if (!plan) continue;
    EXPECT_EQ(plan->tree.parent_edge.end() !=
                  std::find(plan->tree.parent_edge.begin(), plan->tree.parent_edge.end(), options.pin.front()),
              true)
        << key;
    for (const int e : options.cut) {
      EXPECT_NE(std::find(plan->cut.begin(), plan->cut.end(), e), plan->cut.end()) << key;
    }
  }
}

TEST(MakePlan, ByTimeHangsOnTheRootThatWasAskedFor) {
  const Network network = network_of(model::generate_ladder(2));
  PlanOptions options = by_time();
  options.root = 2;
  const Result<Plan> plan = make_plan(network, options);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->tree.root, 2);
  const Result<Plan> grounded = make_plan(network, by_time());
  ASSERT_TRUE(grounded);
  EXPECT_GT(plan->cost, grounded->cost);
}

TEST(MakePlan, ByTimeNeedsJointTypes) {
  Network network;
  network.graph = {3, {{0, 1}, {1, 2}, {2, 0}}};
  network.weight = network.length = {1, 1, 1};
  const Result<Plan> plan = make_plan(network, by_time());
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().message.find("joint types"), std::string::npos);
}

TEST(MakePlan, ByTimeIsTheSameEveryTime) {
  const Network network = network_of(model::generate_lattice(6, 6));
  const Result<Plan> one = make_plan(network, by_time());
  const Result<Plan> two = make_plan(network, by_time());
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->tree, two->tree);
  EXPECT_EQ(one->cost, two->cost);
}

TEST(ExplainCuts, ByTimeMeasuresTheTimeOfTheOtherTrees) {
  const Network network = network_of(model::generate_strandbeest(1));
  const PlanOptions options = by_time();
  const Result<Plan> plan = make_plan(network, options);
  ASSERT_TRUE(plan);
  int compared = 0;
  for (const CutExplanation& cut : explain_cuts(*plan, options)) {
    for (const Alternative& other : cut.alternatives) {
      ASSERT_TRUE(other.examined);
      std::vector<int> tree = graph::tree_edges(plan->tree);
      std::replace(tree.begin(), tree.end(), other.edge, cut.edge);
      const double instead = predicted_time(hand_plan(network, tree, plan->tree.root)).total;
      EXPECT_NEAR(other.cost, instead - plan->cost, 1e-9 * plan->cost);
      EXPECT_GE(other.cost, -1e-9 * plan->cost) << "an exchange was left that helps";
      ++compared;
    }
  }
  EXPECT_GT(compared, 10);
}

TEST(CompareMethods, ByTimeShowsWhatEachMethodsTreeTakes) {
  const Comparison comparison = compare_methods(network_of(model::generate_ladder(6)), by_time());
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const Compared& method : comparison.methods) {
    EXPECT_EQ(method.left_out, "");
    least = std::min(least, method.cost);
    most = std::max(most, method.cost);
  }
  EXPECT_EQ(comparison.methods.back().name, "auto");
  EXPECT_EQ(comparison.methods.back().cost, least);
  EXPECT_GT(most, 1.5 * least) << "depth first makes a chain of it";
}

}  // namespace
}  // namespace espalier::plan::detail
