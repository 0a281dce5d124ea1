#include "espalier/optimize/detail/run_search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "espalier/optimize/test/problems.hpp"

namespace espalier::optimize::detail {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Every step moves all designs to the same point, which is nearer to the optimum of sphere() each time.
Search run(const Problem& problem, const SearchOptions& options) {
  const comm::Comm comm = comm::Comm::serial();
  Evaluator evaluator(comm, problem, options);
  const Step step = [&](SearchState& state) {
    std::vector<double> parameters;
    for (const Design& design : state.population) {
      parameters.insert(parameters.end(), design.parameters.size(), 1 + 1.0 / state.generation);
    }
    state.population = make_designs(problem, parameters, evaluator.evaluate(parameters));
  };
  return run_search(problem, options, evaluator, step);
}

TEST(MakeDesigns, CutsNumbersThatLieEndToEnd) {
  Problem problem = box(2, 0, 9);
  problem.goals = 2;
  problem.limited = true;
  const std::vector<Design> designs =
      make_designs(problem, std::vector<double>{1, 2, 3, 4}, std::vector<double>{5, 6, 0, 7, 8, 0.5});
  ASSERT_EQ(designs.size(), 2U);
  EXPECT_EQ(designs[0], (Design{{1, 2}, {5, 6}, 0}));
  EXPECT_EQ(designs[1], (Design{{3, 4}, {7, 8}, 0.5}));
}

// At generation g every parameter is 1 + 1/g, so that two of them cost 2 / g^2.
TEST(RunSearch, StepsUntilTheLastGeneration) {
  const Search search = run(sphere(2), {.population = 5, .generations = 20});
  ASSERT_EQ(search.history.size(), 20U);
  EXPECT_EQ(search.evaluations, 100);
  EXPECT_NEAR(search.best.goals[0], 2 / 400.0, 1e-15);
  EXPECT_NEAR(search.history.back().mean, 2 / 400.0, 1e-15);
  EXPECT_EQ(search.history.back().number, 20);
  EXPECT_FALSE(search.stopped);
}

TEST(RunSearch, StopsInTheFirstGenerationThatIsGoodEnough) {
  const Search search = run(sphere(2), {.population = 5, .generations = 50, .good_enough = 2 / 100.0 + 1e-12});
  EXPECT_EQ(search.state.generation, 10);
}

// The cost at generation g is 2 / g^2 up to the tenth, and then stays.
TEST(RunSearch, StopsAfterGenerationsWithoutAGain) {
  Problem problem = sphere(2);
  problem.evaluate = [inner = problem.evaluate](std::span<const double> x, std::span<double> goals) {
    inner(x, goals);
    goals[0] = std::max(goals[0], 2 / 100.0);
  };
  const Search search = run(problem, {.population = 5, .generations = 50, .patience = 7});
  EXPECT_EQ(search.end, End::kNoGain);
  EXPECT_EQ(search.state.gain.generation, 10);
  EXPECT_EQ(search.state.generation, 17);
  EXPECT_FALSE(search.stopped);
  EXPECT_EQ(run(problem, {.population = 5, .generations = 50}).end, End::kGenerations);
  EXPECT_EQ(run(problem, {.population = 5, .generations = 50, .good_enough = 0.5}).end, End::kGoodEnough);
}

// A search that continues counts from the gain before it was stopped; a larger patience continues what has ended.
TEST(RunSearch, PatienceGoesOnCountingAfterARestart) {
  const SearchState whole = run(sphere(2), {.population = 5, .generations = 20, .patience = 4}).state;
  for (const int at : {1, 9, 19}) {
    const SearchState part = run(sphere(2), {.population = 5, .generations = at}).state;
    const SearchOptions rest = {.population = 5, .generations = 20, .patience = 4, .start = &part};
    EXPECT_EQ(run(sphere(2), rest).state, whole);
  }
}

TEST(RunSearch, ADrawnDesignDoesNotDependOnGuesses) {
  const SearchOptions options = {.population = 4, .generations = 1, .seed = 3};
  SearchOptions guessed = options;
  guessed.guesses = {{7, -9}};
  const Search free = run(sphere(2), options), with_guess = run(sphere(2), guessed);
  // Put onto the bounds -5 .. 6.
  EXPECT_EQ(with_guess.state.population[0].parameters, (std::vector<double>{6, -5}));
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(with_guess.state.population[i], free.state.population[i]);
}

TEST(RunSearch, KeepsTheBestThatThePopulationLost) {
  Problem problem = sphere(1);
  // The steps lead upwards from the guess, to -(1 + 1/g).
  problem.evaluate = [](std::span<const double> x, std::span<double> goals) { goals[0] = -x[0]; };
  const Search search = run(problem, {.population = 4, .generations = 6, .guesses = {{5.5}}});
  EXPECT_LE(search.best.goals[0], -5.5);
  EXPECT_DOUBLE_EQ(search.state.population[0].goals[0], -(1 + 1 / 6.0));
}

TEST(RunSearch, AGenerationThatIsCutShortLeavesNoTrace) {
  std::atomic<bool> stop = false;
  std::atomic<int> calls = 0;
  Problem problem = sphere(2);
  problem.evaluate = [&, inner = problem.evaluate](std::span<const double> x, std::span<double> goals) {
    inner(x, goals);
    stop = ++calls == 13;
  };
  const Search cut = run(problem, {.population = 5, .generations = 20, .stop = &stop});
  EXPECT_TRUE(cut.stopped);
  EXPECT_EQ(cut.state, run(sphere(2), {.population = 5, .generations = 2}).state);
}

TEST(RunSearch, AMeanLeavesOutWhatHasNoNumber) {
  Problem problem = sphere(1);
  problem.evaluate = [](std::span<const double> x, std::span<double> goals) { goals[0] = x[0] < 0 ? kNan : x[0]; };
  const Search search = run(problem, {.population = 4, .generations = 1, .guesses = {{-1}, {2}, {4}, {-3}}});
  EXPECT_EQ(search.history[0].mean, 3);
  EXPECT_EQ(search.best.goals[0], 2);
  EXPECT_EQ(search.state.without_number, 2);
}

}  // namespace
}  // namespace espalier::optimize::detail
