#include "espalier/optimize/detail/check_problem.hpp"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "espalier/optimize/test/problems.hpp"

namespace espalier::optimize::detail {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string complaint(const Problem& problem, const SearchOptions& options = {}) {
  const Result<void> sound = check_search(problem, options);
  return sound ? "none" : full_message(sound.error());
}

TEST(CheckProblem, SaysWhatIsWrong) {
  Problem problem = sphere(2);
  problem.high[1] = -5;
  EXPECT_NE(complaint(problem).find("parameter 1 has the bounds -5 and -5, which are no interval"), std::string::npos);
  problem.high[1] = kNan;
  EXPECT_NE(complaint(problem).find("no interval"), std::string::npos);
  problem.high[1] = std::numeric_limits<double>::infinity();
  EXPECT_NE(complaint(problem).find("no interval"), std::string::npos);
  problem.high.pop_back();
  EXPECT_NE(complaint(problem).find("2 lower bounds but 1 upper bound"), std::string::npos);
  problem = sphere(2);
  problem.logarithmic = {true, false};
  EXPECT_NE(complaint(problem).find("parameter 0 is searched in its logarithm"), std::string::npos);
  problem = sphere(2);
  problem.goals = 0;
  EXPECT_NE(complaint(problem).find("at least 1"), std::string::npos);
  problem = sphere(2);
  problem.evaluate = nullptr;
  EXPECT_NE(complaint(problem).find("no function"), std::string::npos);
  EXPECT_NE(complaint(box(0, 0, 1)).find("no parameter"), std::string::npos);
}

TEST(CheckOptions, SaysWhatIsWrong) {
  EXPECT_NE(complaint(sphere(2), {.population = 3}).find("the population is 3; it must be at least 4"),
            std::string::npos);
  EXPECT_NE(complaint(sphere(2), {.generations = 0}).find("generations is 0"), std::string::npos);
  EXPECT_NE(complaint(sphere(2), {.threads = 0}).find("threads is 0"), std::string::npos);
  const SearchState other = find_best(comm::Comm::serial(), sphere(3), {.population = 8, .generations = 2})->state;
  EXPECT_NE(complaint(sphere(2), {.population = 8, .start = &other}).find("of another problem"), std::string::npos);
  EXPECT_NE(complaint(sphere(3), {.population = 9, .start = &other}).find("has 8 designs"), std::string::npos);
}

TEST(CheckOptions, KnowWhatEachAlgorithmNeeds) {
  const auto error = [](Algorithm algorithm, int population, const Problem& problem) {
    const Result<void> sound = check_options(problem, {.algorithm = algorithm, .population = population});
    return sound ? "none" : sound.error().option;
  };
  EXPECT_EQ(error(Algorithm::kPso, 20, zdt1(3)), "algorithm") << "is for one goal";
  EXPECT_EQ(error(Algorithm::kNsga2, 20, sphere(2)), "algorithm") << "is for several goals";
  EXPECT_EQ(error(Algorithm::kNsga2, 20, zdt1(3)), "none");
  EXPECT_EQ(error(Algorithm::kNsga2, 22, zdt1(3)), "population") << "comes in fours";
  EXPECT_EQ(error(Algorithm::kDe, 4, sphere(2)), "population");
  EXPECT_EQ(error(Algorithm::kGenetic, 4, sphere(2)), "none");
}

TEST(CheckOptions, AStartMayNotLieOutsideTheBounds) {
  SearchState start;
  start.generation = 1;
  start.best = {{0, 0}, {2}, 0};
  start.population.assign(4, start.best);
  const SearchOptions options = {.population = 4, .start = &start};
  EXPECT_TRUE(check_options(sphere(2), options));
  start.population[3].parameters[1] = 6.5;
  EXPECT_FALSE(check_options(sphere(2), options));
  start.population[3] = start.best;
  start.archive = {{{0, kNan}, {2}, 0}};
  EXPECT_FALSE(check_options(sphere(2), options));
}

}  // namespace
}  // namespace espalier::optimize::detail
