#include "espalier/plan/detail/cost_step.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/plan/test/all_trees.hpp"

namespace espalier::plan::detail {
namespace {

Problem with(std::vector<double> length, std::vector<double> weight) {
  Problem problem;
  problem.length = std::move(length);
  problem.weight = std::move(weight);
  return problem;
}

TEST(CostStep, IsTheGreatestCommonDivisorOfAllTerms) {
  EXPECT_DOUBLE_EQ(cost_step(with({4, 6}, {10, 2}), Goal{1, 1}), 2);
  EXPECT_DOUBLE_EQ(cost_step(with({4, 6}, {10, 2}), Goal{1, 0.1}), 0.2);
  EXPECT_DOUBLE_EQ(cost_step(with({4, 6}, {9, 3}), Goal{0, 1}), 3);
  EXPECT_DOUBLE_EQ(cost_step(with({4, 6}, {9, 3}), Goal{1, 0}), 2);
  EXPECT_DOUBLE_EQ(cost_step(with({1.1, 2.1}, {1.1, 2.1}), Goal{1, 1}), 0.1);
}

TEST(CostStep, IsZeroWhereTermsHaveNoCommonUnit) {
  EXPECT_EQ(cost_step(with({1, 2}, {1.0 / 3, 1}), Goal{1, 1}), 0);
  EXPECT_EQ(cost_step(with({1.0 / 3, 2}, {1, 1}), Goal{1, 1}), 0);
  EXPECT_EQ(cost_step(with({1, 2}, {1, 1}), Goal{1, 0.123456789}), 0);
  EXPECT_EQ(cost_step(with({1, 2}, {1, 1e10}), Goal{1, 1}), 0);
}

// Numbers that are whole but for a little: their sums are not a step apart.
TEST(CostStep, IsZeroForTermsThatAreNearlyWhole) {
  EXPECT_EQ(cost_step(with({1, 2}, {1.0001 + 5e-11, 1}), Goal{1, 1}), 0);
}

TEST(CostStep, DividesTheDifferenceOfAnyTwoTrees) {
  for (std::uint32_t key = 0; key < 100; ++key) {
    const Problem problem = random_problem(key);
    for (const Goal& goal : {Goal{1, 0.1}, Goal{1, 1}, Goal{0, 1}, Goal{1, 0}, Goal{3, 0.25}}) {
      const double step = cost_step(problem, goal);
      ASSERT_GT(step, 0);
      const std::vector<Measure> all = measure_all(problem);
      for (const Measure& one : all) {
        const double steps = (cost(goal, one) - cost(goal, all.front())) / step;
        EXPECT_NEAR(steps, std::round(steps), 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace espalier::plan::detail
