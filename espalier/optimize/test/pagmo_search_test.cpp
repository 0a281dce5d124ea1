#include "espalier/optimize/detail/pagmo_search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "espalier/optimize/test/problems.hpp"

namespace espalier::optimize::detail {
namespace {

constexpr Algorithm kForOneGoal[] = {Algorithm::kPso, Algorithm::kAco, Algorithm::kCmaes, Algorithm::kDe};

Result<Search> search(const Problem& problem, const SearchOptions& options) {
  return find_best(comm::Comm::serial(), problem, options);
}

double distance(const Problem& problem, const SearchOptions& options, double optimum) {
  const Design best = search(problem, options)->best;
  double worst = 0;
  for (const double value : best.parameters) worst = std::max(worst, std::abs(value - optimum));
  return worst;
}

TEST(PagmoSearch, EveryAlgorithmReachesTheMiddleOfASphere) {
  for (const Algorithm algorithm : kForOneGoal) {
    EXPECT_LT(distance(sphere(2), {.algorithm = algorithm, .population = 32, .generations = 150}, 1), 1e-2)
        << word_of(algorithm);
  }
}

TEST(PagmoSearch, CovariancesAndDifferencesFollowRosenbrocksValley) {
  for (const Algorithm algorithm : {Algorithm::kCmaes, Algorithm::kDe}) {
    EXPECT_LT(distance(rosenbrock(3), {.algorithm = algorithm, .population = 32, .generations = 200}, 1), 1e-3)
        << word_of(algorithm);
  }
}

TEST(PagmoSearch, Nsga2ComesNearTheFrontOfTwoGoals) {
  const SearchOptions options = {.algorithm = Algorithm::kNsga2, .population = 60, .generations = 200};
  const Result<Search> found = search(zdt1(5), options);
  ASSERT_TRUE(found.has_value());
  ASSERT_GT(found->front.size(), 30u);
  for (const Design& design : found->front) EXPECT_NEAR(design.goals[1], 1 - std::sqrt(design.goals[0]), 0.02);
  EXPECT_LT(found->front.front().goals[0], 0.05);
  EXPECT_GT(found->front.back().goals[0], 0.95);
}

// One parameter by its logarithm, whose way to the unit cube and back is not exact.
void expect_exact_restart(Algorithm algorithm) {
  Problem problem = algorithm == Algorithm::kNsga2 ? zdt1(4) : rosenbrock(3);
  problem.low[1] = 0.01;
  problem.logarithmic.assign(problem.low.size(), false);
  problem.logarithmic[1] = true;
  SearchOptions options = {.algorithm = algorithm, .population = 12, .generations = 12};
  const Result<Search> whole = search(problem, options);
  std::atomic<bool> stop = false;
  options.stop = &stop;
  options.on_generation = [&](const Generation& generation, const SearchState&) { stop = generation.number >= 5; };
  const Result<Search> part = search(problem, options);
  EXPECT_TRUE(part->stopped);
  options.stop = nullptr;
  options.start = &part->state;
  EXPECT_EQ(search(problem, options)->state, whole->state) << word_of(algorithm);
}

TEST(PagmoSearch, GoesOnAsIfItHadNeverStopped) {
  for (const Algorithm algorithm : {Algorithm::kNsga2, Algorithm::kAco, Algorithm::kDe}) {
    expect_exact_restart(algorithm);
  }
}

TEST(PagmoSearch, SwarmsAndCovariancesBeginAnewWithThePopulation) {
  for (const Algorithm algorithm : {Algorithm::kPso, Algorithm::kCmaes}) {
    SearchOptions options = {.algorithm = algorithm, .population = 12, .generations = 5};
    const SearchState state = search(sphere(2), options)->state;
    EXPECT_TRUE(state.memory.empty());
    options.generations = 10;
    options.start = &state;
    const Result<Search> rest = search(sphere(2), options);
    EXPECT_LE(rest->best.goals[0], state.best.goals[0]);
    EXPECT_EQ(rest->state.generation, 10);
  }
}

TEST(PagmoSearch, GoalsAreThoseOfTheParameters) {
  for (const Algorithm algorithm : kForOneGoal) {
    const Problem problem = rastrigin(2);
    const Result<Search> found = search(problem, {.algorithm = algorithm, .population = 12, .generations = 8});
    for (const Design& design : found->state.population) {
      double goal = 0;
      problem.evaluate(design.parameters, std::span(&goal, 1));
      EXPECT_EQ(design.goals[0], goal) << word_of(algorithm);
    }
  }
}

TEST(PagmoSearch, HoldsWhatIsNoNumberForTheWorst) {
  Problem problem = box(2, -1, 1);
  problem.evaluate = [](std::span<const double> x, std::span<double> goals) {
    goals[0] = x[0] < 0 ? std::numeric_limits<double>::quiet_NaN() : x[0] + x[1];
  };
  for (const Algorithm algorithm : kForOneGoal) {
    const Result<Search> found = search(problem, {.algorithm = algorithm, .population = 20, .generations = 60});
    EXPECT_LT(found->best.goals[0], -0.9) << word_of(algorithm);
    const Result<Search> start = search(problem, {.algorithm = algorithm, .population = 20, .generations = 2});
    EXPECT_FALSE(std::isinf(start->history.back().mean)) << word_of(algorithm);
    EXPECT_LT(start->history.back().mean, 2) << "no made up number in the mean";
  }
}

TEST(PagmoSearch, TakesOverFromTheGeneticSearch) {
  const SearchState begun = search(rosenbrock(3), {.population = 20, .generations = 20})->state;
  const SearchOptions options = {.algorithm = Algorithm::kCmaes, .population = 20, .generations = 150, .start = &begun};
  const Result<Search> found = search(rosenbrock(3), options);
  ASSERT_TRUE(found.has_value());
  EXPECT_LT(found->best.goals[0], begun.best.goals[0]);
}

std::string complaint(const Problem& problem, const SearchOptions& options) {
  const Result<Search> found = search(problem, options);
  return found ? "none" : full_message(found.error());
}

TEST(PagmoSearch, SaysWhatDoesNotFit) {
  for (const Algorithm algorithm : kForOneGoal) {
    EXPECT_NE(complaint(zdt1(2), {.algorithm = algorithm}).find("is for one goal, not for 2"), std::string::npos);
    EXPECT_NE(complaint(sphere(2), {.algorithm = algorithm, .population = 4}).find("at least 5"), std::string::npos);
    EXPECT_EQ(complaint(sphere(2), {.algorithm = algorithm, .population = 5, .generations = 3}), "none");
  }
  EXPECT_NE(complaint(sphere(2), {.algorithm = Algorithm::kNsga2}).find("for several goals"), std::string::npos);
  EXPECT_NE(complaint(zdt1(2), {.algorithm = Algorithm::kNsga2, .population = 10}).find("multiple of 4"),
            std::string::npos);
  EXPECT_EQ(complaint(zdt1(2), {.algorithm = Algorithm::kNsga2, .population = 8, .generations = 3}), "none");
}

TEST(PagmoSearch, SaysThatAMemoryIsAnothers) {
  SearchOptions options = {.algorithm = Algorithm::kDe, .population = 8, .generations = 3};
  SearchState state = search(sphere(2), options)->state;
  options.start = &state;
  options.generations = 6;
  EXPECT_EQ(complaint(sphere(2), options), "none");
  options.algorithm = Algorithm::kPso;
  EXPECT_NE(complaint(sphere(2), options).find("a memory that 'pso' cannot read"), std::string::npos);
  state.memory = "22 nonsense";
  EXPECT_NE(complaint(sphere(2), options).find("cannot read"), std::string::npos);
  state.memory.clear();
  EXPECT_EQ(complaint(sphere(2), options), "none");
}

}  // namespace
}  // namespace espalier::optimize::detail
