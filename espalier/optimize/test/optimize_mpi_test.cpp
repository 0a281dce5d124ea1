// The same bits for every number of ranks. Each rank also searches alone, as the reference.

#include <atomic>

#include <gtest/gtest.h>

#include "espalier/comm/collectives.hpp"
#include "espalier/optimize/optimize.hpp"
#include "espalier/optimize/test/problems.hpp"

namespace espalier::optimize {
namespace {

using comm::Comm;

void expect_same_search(const Problem& problem, const SearchOptions& options) {
  const Result<Search> alone = find_best(Comm::serial(), problem, options);
  SearchOptions threaded = options;
  threaded.threads = 1 + Comm::world().rank();
  const Result<Search> together = find_best(Comm::world(), problem, threaded);
  ASSERT_TRUE(alone.has_value() && together.has_value());
  EXPECT_EQ(together->state, alone->state);
  EXPECT_EQ(together->best, alone->best);
  EXPECT_EQ(together->front, alone->front);
  EXPECT_EQ(together->evaluations, alone->evaluations);
  EXPECT_EQ(together->end, alone->end);
  ASSERT_EQ(together->history.size(), alone->history.size());
  for (std::size_t i = 0; i < alone->history.size(); ++i) {
    EXPECT_EQ(together->history[i].number, alone->history[i].number);
    EXPECT_EQ(together->history[i].best, alone->history[i].best);
    EXPECT_EQ(together->history[i].mean, alone->history[i].mean);
  }
}

TEST(OptimizeMpi, RanksDoNotChangeABit) {
  expect_same_search(rastrigin(3), {.population = 22, .generations = 10});
  expect_same_search(zdt1(4), {.population = 22, .generations = 10});
}

TEST(OptimizeMpi, RanksDoNotChangeWhenPatienceEnds) {
  expect_same_search(sphere(2), {.population = 8, .generations = 400, .patience = 6});
  expect_same_search(zdt1(4), {.population = 12, .generations = 400, .patience = 3});
}

TEST(OptimizeMpi, RanksDoNotChangeABitOfPagmosSearches) {
  expect_same_search(zdt1(4), {.algorithm = Algorithm::kNsga2, .population = 20, .generations = 6});
  for (const Algorithm algorithm : {Algorithm::kPso, Algorithm::kAco, Algorithm::kCmaes, Algorithm::kDe}) {
    expect_same_search(rastrigin(3), {.algorithm = algorithm, .population = 10, .generations = 6});
  }
}

TEST(OptimizeMpi, RanksShareTheEvaluations) {
  const Comm comm = Comm::world();
  Problem problem = sphere(2);
  std::atomic<int> mine = 0;
  problem.evaluate = [&, inner = problem.evaluate](std::span<const double> x, std::span<double> goals) {
    ++mine;
    inner(x, goals);
  };
  const Result<Search> found = find_best(comm, problem, {.population = 24, .generations = 5});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(mine.load(), 24 * 5 / comm.size());
  EXPECT_EQ(found->evaluations, 24 * 5);
}

TEST(OptimizeMpi, AnyRankMayStopAll) {
  const Comm comm = Comm::world();
  const std::atomic<bool> stop = comm.rank() == comm.size() - 1;
  const Result<Search> found = find_best(comm, sphere(2), {.population = 8, .generations = 50, .stop = &stop});
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->stopped);
  EXPECT_EQ(found->state.generation, 0);
}

TEST(OptimizeMpi, AnErrorReachesAllRanks) {
  const Comm comm = Comm::world();
  const int population = comm.rank() == comm.size() - 1 ? 3 : 8;
  EXPECT_FALSE(find_best(comm, sphere(2), {.population = population, .generations = 2}).has_value());
}

}  // namespace
}  // namespace espalier::optimize
