#include "espalier/optimize/detail/evaluator.hpp"

#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "espalier/optimize/test/problems.hpp"

namespace espalier::optimize::detail {
namespace {

// Two values from two parameters, of which none is symmetric in them.
Problem two_goals() {
  Problem problem = box(2, -10, 10);
  problem.goals = 2;
  problem.evaluate = [](std::span<const double> x, std::span<double> goals) {
    goals[0] = x[0] - 2 * x[1];
    goals[1] = x[0] * x[0];
  };
  return problem;
}

TEST(Evaluator, PutsEachValueToItsPointOnAnyNumberOfThreads) {
  const Problem problem = two_goals();
  for (const int threads : {1, 2, 9}) {
    const SearchOptions options = {.threads = threads};
    const comm::Comm comm = comm::Comm::serial();
    Evaluator evaluator(comm, problem, options);
    EXPECT_EQ(evaluator.evaluate(std::vector<double>{1, 2, 3, 4, 5, 0}), (std::vector<double>{-3, 1, -5, 9, 5, 25}));
    EXPECT_EQ(evaluator.evaluations(), 3);
    EXPECT_TRUE(evaluator.evaluate({}).empty());
    EXPECT_EQ(evaluator.evaluations(), 3);
  }
}

TEST(Evaluator, CountsPointsAndNotValuesWithoutANumber) {
  Problem problem = two_goals();
  problem.evaluate = [](std::span<const double> x, std::span<double> goals) {
    goals[0] = goals[1] = x[0] < 0 ? std::numeric_limits<double>::quiet_NaN() : 1;
  };
  const SearchOptions options;
  const comm::Comm comm = comm::Comm::serial();
  Evaluator evaluator(comm, problem, options);
  evaluator.evaluate(std::vector<double>{-1, 0, 1, 0, -2, 0, 3, 0});
  EXPECT_EQ(evaluator.without_number(), 2);
}

TEST(Evaluator, AsksForTheExcessOfALimitedProblem) {
  Problem problem = two_goals();
  EXPECT_EQ(values_of(problem), 2U);
  problem.limited = true;
  EXPECT_EQ(values_of(problem), 3U);
}

TEST(Evaluator, TellsEveryPointDoneAndShowsCompleteOnes) {
  const Problem problem = two_goals();
  std::vector<std::pair<std::size_t, std::size_t>> told;
  SearchOptions options;
  options.on_design = [&](std::size_t done, std::size_t of) { told.emplace_back(done, of); };
  const comm::Comm comm = comm::Comm::serial();
  Evaluator evaluator(comm, problem, options);
  std::vector<double> seen;
  evaluator.watch([&](std::span<const double> parameters, std::span<const double> values) {
    seen.assign(parameters.begin(), parameters.end());
    seen.insert(seen.end(), values.begin(), values.end());
  });
  evaluator.evaluate(std::vector<double>{1, 2, 3, 4});
  EXPECT_EQ(told, (std::vector<std::pair<std::size_t, std::size_t>>{{1, 2}, {2, 2}}));
  EXPECT_EQ(seen, (std::vector<double>{1, 2, 3, 4, -3, 1, -5, 9}));
}

TEST(Evaluator, AStopLeavesPointsOutAndSaysSo) {
  std::atomic<bool> stop = false;
  Problem problem = two_goals();
  problem.evaluate = [&, inner = problem.evaluate](std::span<const double> x, std::span<double> goals) {
    inner(x, goals);
    stop = x[0] == 3;
  };
  SearchOptions options = {.stop = &stop};
  const comm::Comm comm = comm::Comm::serial();
  Evaluator evaluator(comm, problem, options);
  evaluator.watch([](std::span<const double>, std::span<const double>) { FAIL() << "what is cut short is not shown"; });
  const std::vector<double> values = evaluator.evaluate(std::vector<double>{1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(evaluator.is_interrupted());
  EXPECT_TRUE(evaluator.stop_is_wished());
  EXPECT_EQ(values[0], -3);
  EXPECT_TRUE(std::isnan(values[4]));
}

}  // namespace
}  // namespace espalier::optimize::detail
