#include "espalier/optimize/optimize.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "espalier/optimize/test/problems.hpp"

namespace espalier::optimize {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Result<Search> search(const Problem& problem, const SearchOptions& options) {
  return find_best(comm::Comm::serial(), problem, options);
}

// The farthest that a parameter of the best design is from `optimum`, over three seeds.
double worst_distance(const Problem& problem, SearchOptions options, double optimum) {
  double worst = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    options.seed = seed;
    const Design best = search(problem, options)->best;
    for (const double value : best.parameters) worst = std::max(worst, std::abs(value - optimum));
  }
  return worst;
}

TEST(FindBest, ReachesTheMiddleOfASphere) {
  EXPECT_LT(worst_distance(sphere(3), {.population = 32, .generations = 80}, 1), 1e-5);
}

TEST(FindBest, FollowsRosenbrocksValley) {
  EXPECT_LT(worst_distance(rosenbrock(2), {.population = 32, .generations = 150}, 1), 1e-4);
  EXPECT_LT(worst_distance(rosenbrock(5), {.population = 64, .generations = 300}, 1), 1e-3);
}

TEST(FindBest, LeavesTheSideMinimaOfRastrigin) {
  EXPECT_LT(worst_distance(rastrigin(3), {.population = 64, .generations = 200}, 0), 1e-5);
}

TEST(FindBest, BeginsWithTheGuesses) {
  const Result<Search> found = search(sphere(2), {.population = 8, .generations = 1, .guesses = {{1, 1}, {1e9, -1e9}}});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->best.parameters, (std::vector<double>{1, 1}));
  const Problem problem = sphere(2);
  EXPECT_EQ(found->state.population[1].parameters, (std::vector<double>{problem.high[0], problem.low[1]}));
  EXPECT_FALSE(search(sphere(2), {.population = 8, .guesses = {{1}}}).has_value());
  EXPECT_FALSE(search(sphere(2), {.population = 8, .guesses = {{1, kNan}}}).has_value());
}

TEST(FindBest, ComesNearTheFrontOfTwoGoals) {
  const Result<Search> found = search(zdt1(5), {.population = 60, .generations = 100});
  ASSERT_TRUE(found.has_value());
  ASSERT_GT(found->front.size(), 40u);
  double last = 0;
  for (const Design& design : found->front) {
    EXPECT_NEAR(design.goals[1], 1 - std::sqrt(design.goals[0]), 0.01);
    EXPECT_LT(design.goals[0] - last, 0.15) << "a gap in the front";
    last = design.goals[0];
  }
  EXPECT_GT(last, 0.99);
}

TEST(FindBest, SearchesLogarithmicParametersByTheirLogarithm) {
  // log10 of both is far from the middle; equal steps of the value would put 99 % of the start above 10.
  Problem problem = box(2, 1e-6, 1e3);
  problem.logarithmic = {true, true};
  problem.evaluate = [](std::span<const double> x, std::span<double> goals) {
    goals[0] = std::pow(std::log10(x[0]) + 4.5, 2) + std::pow(std::log10(x[1]) - 2.5, 2);
  };
  const Result<Search> found = search(problem, {.population = 32, .generations = 60});
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->best.parameters[0] / std::pow(10, -4.5), 1, 1e-3);
  EXPECT_NEAR(found->best.parameters[1] / std::pow(10, 2.5), 1, 1e-3);
  // The random start is even in the logarithm: about half of it below the middle of 1e-6 .. 1e3.
  const Result<Search> start = search(problem, {.population = 400, .generations = 1});
  const auto below = std::ranges::count_if(start->state.population,
                                           [](const Design& design) { return design.parameters[0] < 0.0316; });
  EXPECT_NEAR(static_cast<double>(below), 200, 50);
}

TEST(FindBest, StaysWithinTheBoundsAndReachesThem) {
  Problem problem = box(2, 0.1, 0.7);
  std::atomic<bool> outside = false;
  problem.evaluate = [&](std::span<const double> x, std::span<double> goals) {
    for (const double value : x) outside = outside || !(value >= 0.1 && value <= 0.7);
    goals[0] = x[0] - x[1];
  };
  const Result<Search> found = search(problem, {.population = 16, .generations = 40});
  ASSERT_TRUE(found.has_value());
  EXPECT_FALSE(outside);
  EXPECT_EQ(found->best.parameters, (std::vector<double>{0.1, 0.7}));
}

TEST(FindBest, DependsOnTheSeedAlone) {
  SearchOptions options = {.population = 20, .generations = 12, .seed = 7};
  for (const Problem& problem : {rastrigin(3), zdt1(4)}) {
    const SearchState first = search(problem, options)->state;
    EXPECT_EQ(first, search(problem, options)->state);
    SearchOptions threaded = options;
    for (const int threads : {2, 3, 50}) {
      threaded.threads = threads;
      EXPECT_EQ(first, search(problem, threaded)->state) << threads << " threads";
    }
    SearchOptions other = options;
    other.seed = 8;
    EXPECT_FALSE(first == search(problem, other)->state);
  }
}

TEST(FindBest, GoesOnAsIfItHadNeverStopped) {
  for (Problem problem : {rosenbrock(3), zdt1(4)}) {
    problem.logarithmic.assign(problem.low.size(), false);
    problem.low[1] = 0.01;
    problem.logarithmic[1] = true;  // its way to the unit cube and back is not exact
    SearchOptions options = {.population = 20, .generations = 30};
    const Result<Search> whole = search(problem, options);
    std::atomic<bool> stop = false;
    options.stop = &stop;
    options.on_generation = [&](const Generation& generation, const SearchState&) { stop = generation.number >= 11; };
    const Result<Search> part = search(problem, options);
    EXPECT_TRUE(part->stopped);
    EXPECT_LT(part->state.generation, 15);
    const SearchState saved = part->state;
    options.start = &saved;
    options.stop = nullptr;
    const Result<Search> rest = search(problem, options);
    EXPECT_EQ(rest->state, whole->state);
    EXPECT_EQ(rest->front, whole->front);
    EXPECT_EQ(part->evaluations + rest->evaluations, whole->evaluations);
    EXPECT_EQ(part->history.size() + rest->history.size(), whole->history.size());
  }
}

TEST(FindBest, StopsInsideAGenerationAndLeavesItOut) {
  for (const int threads : {1, 3}) {
    std::atomic<bool> stop = false;
    std::atomic<int> calls = 0;
    Problem problem = sphere(2);
    const auto whole = search(problem, {.population = 8, .generations = 3});
    problem.evaluate = [&, inner = problem.evaluate](std::span<const double> x, std::span<double> goals) {
      inner(x, goals);
      if (++calls == 28) stop = true;
    };
    const Result<Search> found =
        search(problem, {.population = 8, .generations = 50, .threads = threads, .stop = &stop});
    ASSERT_TRUE(found.has_value());
    EXPECT_TRUE(found->stopped);
    EXPECT_LE(calls, 28 + threads - 1);
    EXPECT_EQ(found->evaluations, 24);
    EXPECT_EQ(found->state.generation, 3);
    EXPECT_EQ(found->best, found->state.best);
    EXPECT_EQ(found->state.population.size(), 8U);
  }
}

TEST(FindBest, StopsBeforeItsFirstDesign) {
  const std::atomic<bool> stop = true;
  const Result<Search> found = search(sphere(2), {.population = 8, .generations = 50, .stop = &stop});
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->stopped);
  EXPECT_EQ(found->evaluations, 0);
  EXPECT_EQ(found->state.generation, 0);
  EXPECT_TRUE(found->best.goals.empty());
}

// Least x + y with x y >= 1 and both in [0, 6]: 2 at (1, 1). Without the limit it is 0.
TEST(FindBest, HoldsLimitsBeforeGoals) {
  Problem problem = box(2, 0, 6);
  problem.limited = true;
  problem.evaluate = [](std::span<const double> x, std::span<double> values) {
    values[0] = x[0] + x[1];
    values[1] = std::max(0.0, 1 - x[0] * x[1]);
  };
  for (const Algorithm algorithm : {Algorithm::kGenetic, Algorithm::kDe, Algorithm::kPso, Algorithm::kCmaes}) {
    const Result<Search> found = search(problem, {.algorithm = algorithm, .population = 40, .generations = 120});
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->best.excess, 0) << word_of(algorithm);
    EXPECT_NEAR(found->best.goals[0], 2, 0.02) << word_of(algorithm);
  }
}

// Nothing that was ever evaluated is better than a design of the front, and what none is better than is on it, though
// the population is too small to hold it.
TEST(FindBest, AFrontIsOfAllDesignsLookedAt) {
  for (const Algorithm algorithm : {Algorithm::kGenetic, Algorithm::kNsga2}) {
    std::vector<std::vector<double>> all;
    Problem problem = zdt1(4);
    problem.evaluate = [&, inner = problem.evaluate](std::span<const double> x, std::span<double> goals) {
      inner(x, goals);
      all.emplace_back(goals.begin(), goals.end());
    };
    const Result<Search> found = search(problem, {.algorithm = algorithm, .population = 8, .generations = 60});
    ASSERT_TRUE(found.has_value());
    const auto beats = [](const std::vector<double>& a, const std::vector<double>& b) {
      return a[0] <= b[0] && a[1] <= b[1] && a != b;
    };
    std::set<std::vector<double>> best, front;
    for (const std::vector<double>& one : all) {
      if (std::ranges::none_of(all, [&](const std::vector<double>& other) { return beats(other, one); })) {
        best.insert(one);
      }
    }
    for (const Design& design : found->front) front.insert(design.goals);
    EXPECT_GT(best.size(), 8U);
    EXPECT_LT(best.size(), kMostArchived);
    EXPECT_EQ(front, best);
  }
}

// On the curve of ZDT1 above goals[0] = 0.36 alone.
TEST(FindBest, AFrontHoldsTheLimits) {
  Problem problem = zdt1(4);
  problem.limited = true;
  problem.evaluate = [inner = problem.evaluate](std::span<const double> x, std::span<double> values) {
    inner(x, values.first(2));
    values[2] = std::max(0.0, 0.36 - x[0]);
  };
  for (const Algorithm algorithm : {Algorithm::kGenetic, Algorithm::kNsga2}) {
    const Result<Search> found = search(problem, {.algorithm = algorithm, .population = 40, .generations = 150});
    ASSERT_TRUE(found.has_value());
    ASSERT_GT(found->front.size(), 20U);
    for (const Design& design : found->front) {
      EXPECT_GE(design.goals[0], 0.36);
      EXPECT_NEAR(design.goals[1], 1 - std::sqrt(design.goals[0]), 0.03);
    }
    EXPECT_NEAR(found->front.front().goals[0], 0.36, 0.01);
  }
}

TEST(FindBest, StopsWhereItIsGoodEnough) {
  const SearchOptions options = {.population = 32, .generations = 500, .good_enough = 1e-3};
  const Result<Search> found = search(sphere(2), options);
  ASSERT_TRUE(found.has_value());
  EXPECT_FALSE(found->stopped);
  EXPECT_LE(found->best.goals[0], 1e-3);
  EXPECT_LT(found->state.generation, 100);
  EXPECT_GT(found->history[found->history.size() - 2].best.goals[0], 1e-3);
  SearchOptions again = options;
  again.start = &found->state;
  EXPECT_EQ(search(sphere(2), again)->evaluations, 0);
}

TEST(FindBest, TellsEveryGeneration) {
  std::vector<int> numbers;
  SearchOptions options = {.population = 10, .generations = 6};
  options.on_generation = [&](const Generation& generation, const SearchState& state) {
    numbers.push_back(generation.number);
    EXPECT_EQ(state.generation, generation.number);
    EXPECT_EQ(state.best, generation.best);
  };
  const Result<Search> found = search(sphere(2), options);
  EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(found->evaluations, 60);
  for (std::size_t i = 1; i < found->history.size(); ++i) {
    EXPECT_LE(found->history[i].best.goals[0], found->history[i - 1].best.goals[0]);
    EXPECT_LE(found->history[i].best.goals[0], found->history[i].mean);
  }
}

TEST(FindBest, HoldsWhatIsNoNumberForTheWorst) {
  // Three quarters of the square have no value; the optimum lies at their corner.
  Problem problem = box(2, -1, 1);
  problem.evaluate = [](std::span<const double> x, std::span<double> goals) {
    goals[0] = x[0] < 0 || x[1] < 0 ? kNan : x[0] + x[1];
  };
  const Result<Search> found = search(problem, {.population = 24, .generations = 100});
  ASSERT_TRUE(found.has_value());
  EXPECT_LT(found->best.goals[0], 1e-4);
  for (const Design& design : found->state.population) EXPECT_FALSE(std::isnan(design.goals[0]));
  EXPECT_GT(found->state.without_number, 0);
  EXPECT_LT(found->state.without_number, found->state.evaluations);

  problem.evaluate = [](std::span<const double>, std::span<double> goals) { goals[0] = kNan; };
  const Result<Search> nothing = search(problem, {.population = 8, .generations = 3});
  ASSERT_TRUE(nothing.has_value());
  EXPECT_TRUE(std::isnan(nothing->best.goals[0]));
  EXPECT_TRUE(std::isnan(nothing->history.back().mean));
}

}  // namespace
}  // namespace espalier::optimize
