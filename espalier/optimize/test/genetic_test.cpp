#include "espalier/optimize/detail/genetic.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "espalier/optimize/test/problems.hpp"

namespace espalier::optimize::detail {
namespace {

// The state after `steps` generations, from a population that is spread over the box.
SearchState stepped(const Problem& problem, const SearchOptions& options, int steps) {
  const comm::Comm comm = comm::Comm::serial();
  Evaluator evaluator(comm, problem, options);
  const Step step = genetic_step(problem, options, evaluator);
  SearchState state;
  state.generation = 1;
  std::vector<double> parameters;
  for (int i = 0; i < options.population; ++i) {
    const double unit = i / (options.population - 1.0);
    for (std::size_t k = 0; k < problem.low.size(); ++k) {
      const double mine = k % 2 == 0 ? unit : 1 - unit;
      parameters.push_back(problem.low[k] + mine * (problem.high[k] - problem.low[k]));
    }
  }
  state.population = make_designs(problem, parameters, evaluator.evaluate(parameters));
  for (int s = 0; s < steps; ++s) {
    ++state.generation;
    step(state);
  }
  return state;
}

const SearchOptions kOptions = {.population = 16, .generations = 40};

TEST(GeneticStep, NoDesignIsReplacedByAWorseOne) {
  const SearchState before = stepped(rastrigin(2), kOptions, 0);
  const SearchState after = stepped(rastrigin(2), kOptions, 1);
  int better = 0;
  for (std::size_t i = 0; i < before.population.size(); ++i) {
    EXPECT_LE(after.population[i].goals[0], before.population[i].goals[0]) << i;
    better += after.population[i].goals[0] < before.population[i].goals[0] ? 1 : 0;
  }
  EXPECT_GT(better, 0);
}

TEST(GeneticStep, ChildrenStayWithinTheBounds) {
  Problem problem = sphere(3);
  problem.low = {0.5, -5, 2};
  const SearchState state = stepped(problem, kOptions, 10);
  for (const Design& design : state.population) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_GE(design.parameters[k], problem.low[k]);
      EXPECT_LE(design.parameters[k], problem.high[k]);
    }
  }
}

TEST(GeneticStep, LeavesTheLineOnWhichThePopulationStands) {
  const SearchState state = stepped(sphere(2), kOptions, 20);
  const auto best = std::ranges::min_element(state.population, {}, [](const Design& d) { return d.goals[0]; });
  // On the line x + y = 1 of the first population no design costs less than 1 / 2.
  EXPECT_LT(best->goals[0], 0.1);
}

TEST(GeneticStep, DependsOnTheSeedAlone) {
  SearchOptions other = kOptions;
  EXPECT_EQ(stepped(rastrigin(2), kOptions, 3), stepped(rastrigin(2), other, 3));
  other.seed = 2;
  EXPECT_FALSE(stepped(rastrigin(2), kOptions, 3) == stepped(rastrigin(2), other, 3));
}

// Of several goals the best half lives on: what was on the first front is beaten or still there.
TEST(GeneticStep, OfSeveralGoalsNoneOfTheFrontIsLostToAWorseOne) {
  const SearchState before = stepped(zdt1(3), kOptions, 0);
  const SearchState after = stepped(zdt1(3), kOptions, 1);
  EXPECT_EQ(after.population.size(), before.population.size());
  const auto least = [](const SearchState& state, std::size_t goal) {
    double value = state.population[0].goals[goal];
    for (const Design& design : state.population) value = std::min(value, design.goals[goal]);
    return value;
  };
  for (const std::size_t goal : {0U, 1U}) EXPECT_LE(least(after, goal), least(before, goal));
}

}  // namespace
}  // namespace espalier::optimize::detail
