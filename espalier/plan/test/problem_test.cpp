#include "espalier/plan/detail/problem.hpp"

#include <gtest/gtest.h>

namespace espalier::plan::detail {
namespace {

using Ints = std::vector<int>;

//  0 --1-- 1 --1-- 2 --1-- 3 --1-- 4, weights 1, 2, 3, 4, and a chord 0 - 4 of length 9 and weight 5
Problem path_with_chord() {
  Problem problem;
  problem.graph = {5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 4}}};
  problem.weight = {1, 2, 3, 4, 5};
  problem.length = {1, 1, 1, 1, 9};
  return problem;
}

TEST(Measure, IsTheLongestBranchAndTheSumOfWeights) {
  const Problem problem = path_with_chord();
  EXPECT_EQ(measure(problem, graph::hang_tree(problem.graph, Ints{0, 1, 2, 3}, 0)), (Measure{4, 10}));
  EXPECT_EQ(measure(problem, graph::hang_tree(problem.graph, Ints{0, 1, 2, 3}, 2)), (Measure{2, 10}));
  EXPECT_EQ(measure(problem, graph::hang_tree(problem.graph, Ints{0, 1, 3, 4}, 0)), (Measure{10, 12}));
  EXPECT_EQ(measure(Problem{{1, {}}, {}, {}, {}, -1}, graph::hang_tree({1, {}}, Ints{}, 0)), (Measure{0, 0}));
}

// 0.1 + 0.2 + 0.3 depends on the order of the terms.
TEST(Measure, WeighsATreeTheSameFromEveryRoot) {
  Problem problem = path_with_chord();
  problem.weight = {0.1, 0.2, 0.3, 0.7, 1};
  for (int root = 0; root < 5; ++root) {
    const graph::Tree tree = graph::hang_tree(problem.graph, Ints{0, 1, 2, 3}, root);
    EXPECT_EQ(measure(problem, tree).weight, 0.1 + 0.2 + 0.3 + 0.7);
  }
}

TEST(Cost, OfAGoalIsItsSumOfBoth) {
  EXPECT_EQ(cost({1, 0.5}, {35, 322}), 196);
  EXPECT_EQ(cost({0, 1, 7}, {35, 322}), 322);
  EXPECT_EQ(cost({1, 0}, {35, 322}), 35);
}

TEST(IsAllowed, WhereBothLimitsAreKeptUpToRounding) {
  EXPECT_TRUE(is_allowed({}, {1e300, 1e300}));
  EXPECT_TRUE(is_allowed({1, 1, 4, 10}, {4, 10}));
  EXPECT_TRUE(is_allowed({1, 1, 0.3, 10}, {0.1 + 0.2, 10}));
  EXPECT_FALSE(is_allowed({1, 1, 4, 10}, {4.00001, 10}));
  EXPECT_FALSE(is_allowed({1, 1, 4, 10}, {4, 10.0001}));
}

TEST(HangBest, TakesTheProblemsRootOrTheLowestCentre) {
  Problem problem = path_with_chord();
  EXPECT_EQ(hang_best(problem, Ints{0, 1, 2, 3}).root, 2);
  EXPECT_EQ(hang_best(problem, Ints{0, 1, 2, 4}).root, 0);
  problem.root = 4;
  EXPECT_EQ(hang_best(problem, Ints{0, 1, 2, 3}).root, 4);
  problem.root = -1;
  problem.graph = {4, {{0, 1}, {1, 2}, {2, 3}}};
  EXPECT_EQ(hang_best(problem, Ints{0, 1, 2}).root, 1);
}

TEST(Problem, PinsNothingWhereItSaysNothing) {
  Problem problem = path_with_chord();
  EXPECT_FALSE(problem.is_pinned(4));
  problem.pinned = {0, 0, 0, 0, 1};
  EXPECT_TRUE(problem.is_pinned(4));
  EXPECT_FALSE(problem.is_pinned(0));
}

}  // namespace
}  // namespace espalier::plan::detail
