#include "espalier/plan/detail/plan_cost.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "espalier/plan/test/small_plans.hpp"

namespace espalier::plan::detail {
namespace {

constexpr double kExponent = 2.5;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Ground 0, crank 1, coupler 2, rocker 3: revolute joints, one of them ball and socket.
//   0 --R-- 1 --S-- 2 --R-- 3 --R-- 0
Network four_bar() {
  Network network;
  network.graph = {4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}};
  network.freedom = {1, 3, 1, 1};
  network.weight = network.length = {1, 3, 1, 1};
  network.ground = 0;
  return network;
}

// Three hinges and three equations of the cut ball; or five coordinates and five equations of a cut hinge.
TEST(CountEquations, OfAFourBarIsLeastWhereItsBallIsCut) {
  EXPECT_EQ(count_equations(hand_plan(four_bar(), {0, 2, 3}, 0)), 6);
  EXPECT_EQ(count_equations(hand_plan(four_bar(), {0, 1, 2}, 0)), 10);
}

TEST(CountEquations, CountsAFreeRootAndBodiesCutInTwo) {
  const Network network = four_bar();
  EXPECT_EQ(count_equations(hand_plan(network, {0, 2, 3}, 1)), 6 + 12);
  Network adrift = network;
  adrift.ground = -1;
  EXPECT_EQ(count_equations(hand_plan(adrift, {0, 2, 3}, 1)), 6);

  // The coupler is cut in two behind the ball: all six coordinates stay, six equations weld the halves.
  Network halved = network;
  halved.graph.vertices = 5;
  halved.graph.edges[1].b = 4;
  Plan plan = hand_plan(halved, {0, 1, 2, 3}, 0);
  plan.half_bodies = {{4, 2, 1}};
  EXPECT_EQ(count_equations(plan), 6 + 6);
}

// The four-bar beside a body that touches nothing, and one that hangs in the air with it.
//   0 .. 3 as above     4 --R-- 5
TEST(CountEquations, GivesEachFloatingPieceSixCoordinates) {
  Network network = four_bar();
  network.graph.vertices = 6;
  network.graph.edges.push_back({4, 5});
  network.freedom.push_back(1);
  Plan plan;
  plan.network = network;
  plan.tree = {0, {-1, 0, 3, 0, -1, 4}, {-1, 0, 2, 3, -1, 4}, {0, 1, 3, 2, 4, 5}};
  plan.roots = {0, 4};
  plan.cut = {1};
  EXPECT_EQ(count_equations(plan), 6 + 1 + 6);
}

TEST(PlanCost, IsTheSumOfItsThreeSteps) {
  const Plan plan = hand_plan(four_bar(), {0, 2, 3}, 0);
  EXPECT_DOUBLE_EQ(sequential_cost(plan, kExponent), 3 + std::pow(6, 2.5) + 6);
  EXPECT_DOUBLE_EQ(parallel_cost(plan, kExponent), 2 + std::pow(6, 2.5) + 1);
}

TEST(CountEquations, IsSixALoopLessAllCoordinatesAndTwiceTheTree) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    const Network network = small_mechanism(key);
    const int loops = static_cast<int>(network.graph.edges.size()) - network.graph.vertices + 1;
    const int all = std::accumulate(network.freedom.begin(), network.freedom.end(), 0);
    for (const std::vector<int>& tree : all_trees(network.graph)) {
      int kept = 0;
      int by_hand = all;
      for (std::size_t e = 0; e < network.freedom.size(); ++e) {
        const bool in_tree = std::binary_search(tree.begin(), tree.end(), static_cast<int>(e));
        if (in_tree) kept += network.freedom[e];
        by_hand += in_tree ? 0 : 6 - 2 * network.freedom[e];
      }
      EXPECT_EQ(count_equations(network, tree), 6 * loops - all + 2 * kept) << key;
      EXPECT_EQ(count_equations(network, tree), by_hand) << key;
    }
  }
}

TEST(MakePlan, BoundsTheEquationsOfEveryMethod) {
  for (std::uint32_t key = 0; key < 60; ++key) {
    const Network network = small_mechanism(key);
    PlanOptions options;
    options.objective = Objective::kSequential;
    int fewest = std::numeric_limits<int>::max();
    for (const std::vector<int>& tree : all_trees(network.graph))
      fewest = std::min(fewest, count_equations(network, tree));
    for (const Method method : {Method::kAuto, Method::kDfs, Method::kBfs, Method::kA1}) {
      options.method = method;
      const Result<Plan> plan = make_plan(network, options);
      ASSERT_TRUE(plan);
      EXPECT_EQ(plan->cost, plan->equations) << "mechanism " << key;
      EXPECT_EQ(plan->lower_bound, fewest) << "mechanism " << key << ", " << to_string(method);
      EXPECT_EQ(plan->optimal, plan->equations == fewest) << "mechanism " << key << ", " << to_string(method);
    }
  }
}

TEST(MakePlan, TakesTheGroundForTheFewestEquationsOfAFreeRoot) {
  PlanOptions options;
  options.objective = Objective::kSequential;
  options.free_root = true;
  EXPECT_EQ(make_plan(four_bar(), options)->equations, 6);
}

// [Liu99] Theorem 1: on one worker the cost is least exactly where N is, whatever the root, and a lightest tree has the
// least N.
TEST(SequentialCost, IsLeastExactlyWhereEquationsAreFewest) {
  for (std::uint32_t key = 0; key < 100; ++key) {
    SCOPED_TRACE(key);
    Network network = small_mechanism(key);
    network.ground = -1;  // the theorem knows no ground
    const std::vector<std::vector<int>> trees = all_trees(network.graph);
    int fewest = std::numeric_limits<int>::max();
    double cheapest = kInfinity;
    for (const std::vector<int>& tree : trees) {
      const Plan plan = hand_plan(network, tree);
      fewest = std::min(fewest, count_equations(plan));
      cheapest = std::min(cheapest, sequential_cost(plan, kExponent));
    }
    for (const std::vector<int>& tree : trees) {
      for (int root = 0; root < network.graph.vertices; ++root) {
        const Plan plan = hand_plan(network, tree, root);
        EXPECT_EQ(count_equations(plan) == fewest, sequential_cost(plan, kExponent) == cheapest);
      }
    }
    EXPECT_EQ(count_equations(network, graph::kruskal(network.graph, network.weight)), fewest);
  }
}

// [Liu99] Theorem 2: the cheapest tree for many workers lies between the tree of the shortest critical branch and the
// lightest one, in L and in N; for every such pair of trees.
TEST(ParallelCost, IsLeastBetweenTheShortestAndTheLightestTree) {
  for (std::uint32_t key = 0; key < 100; ++key) {
    SCOPED_TRACE(key);
    Network network = small_mechanism(key);
    network.ground = -1;
    std::vector<Plan> plans;
    for (const std::vector<int>& tree : all_trees(network.graph)) plans.push_back(hand_plan(network, tree));
    const auto least = [&](const auto& value) {
      double smallest = kInfinity;
      for (const Plan& plan : plans) smallest = std::min(smallest, value(plan));
      return smallest;
    };
    const double shortest = least([](const Plan& plan) { return plan.measure.length; });
    const double lightest = least([](const Plan& plan) { return plan.measure.weight; });
    const double cheapest = least([](const Plan& plan) { return parallel_cost(plan, kExponent); });
    for (const Plan& best : plans) {
      if (parallel_cost(best, kExponent) > cheapest) continue;
      EXPECT_GE(best.measure.length, shortest);
      for (const Plan& other : plans) {
        if (other.measure.weight == lightest) {
          EXPECT_LE(best.measure.length, other.measure.length);
          EXPECT_GE(count_equations(best), count_equations(other));
        }
        if (other.measure.length == shortest) {
          EXPECT_LE(count_equations(best), count_equations(other));
        }
      }
    }
  }
}

}  // namespace
}  // namespace espalier::plan::detail
