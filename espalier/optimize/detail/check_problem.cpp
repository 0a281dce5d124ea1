#include "espalier/optimize/detail/check_problem.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"

namespace espalier::optimize::detail {

namespace {

bool is_logarithmic(const Problem& problem, std::size_t k) {
  return !problem.logarithmic.empty() && problem.logarithmic[k];
}

Result<void> check_bounds(const Problem& problem, std::size_t k) {
  const double low = problem.low[k], high = problem.high[k];
  // Written so that NaN is refused as well.
  if (!(low < high) || !std::isfinite(high - low)) {
    return make_error(
        ErrorCode::kValue, {},
        fmt::format("parameter {} has the bounds {} and {}, which are no interval; the lower must be below "
                    "the upper, both finite. Leave a parameter out that is fixed",
                    k, number_text(low), number_text(high)));
  }
  // (O1) needs the quotient, which may pass what a double holds although both bounds are finite.
  if (is_logarithmic(problem, k) && !(low > 0 && std::isfinite(high / low))) {
    return make_error(ErrorCode::kValue, {},
                      fmt::format("parameter {} is searched in its logarithm, but its lower bound is {}; it must be "
                                  "above 0",
                                  k, number_text(low)));
  }
  return {};
}

bool fits(const Problem& problem, const Design& design) {
  if (design.parameters.size() != problem.low.size()) return false;
  if (design.goals.size() != to_index(problem.goals)) return false;
  for (std::size_t k = 0; k < problem.low.size(); ++k) {
    if (!(design.parameters[k] >= problem.low[k] && design.parameters[k] <= problem.high[k])) return false;
  }
  return true;
}

// What pagmo's algorithms ask for; they would throw. NSGA-II refuses one goal, the others refuse several, and each has
// a smallest population.
Result<void> check_algorithm(const Problem& problem, const SearchOptions& options) {
  const Algorithm algorithm = options.algorithm;
  if (problem.goals > 1 && algorithm != Algorithm::kGenetic && algorithm != Algorithm::kNsga2) {
    return make_option_error(
        "algorithm", fmt::format("the search '{}' is for one goal, not for {}", word_of(algorithm), problem.goals),
        fmt::format("take '{}' or '{}'", word_of(Algorithm::kGenetic), word_of(Algorithm::kNsga2)));
  }
  if (problem.goals == 1 && algorithm == Algorithm::kNsga2) {
    return make_option_error("algorithm",
                             fmt::format("the search '{}' is for several goals, not for one", word_of(algorithm)),
                             fmt::format("take '{}'", word_of(Algorithm::kGenetic)));
  }
  if (algorithm == Algorithm::kNsga2 && (options.population < 8 || options.population % 4 != 0)) {
    return make_option_error("population", fmt::format("the population is {}", options.population),
                             fmt::format("for '{}' it must be a multiple of 4 and at least 8", word_of(algorithm)));
  }
  if (algorithm != Algorithm::kGenetic && options.population < 5) {
    return make_option_error("population", fmt::format("the population is {}", options.population),
                             fmt::format("for '{}' it must be at least 5", word_of(algorithm)));
  }
  return {};
}

Result<void> check_start(const Problem& problem, const SearchOptions& options) {
  const SearchState& start = *options.start;
  // A state in which nothing is evaluated yet begins like none.
  if (start.generation == 0) return {};
  if (start.generation < 0 || start.population.size() != to_index(options.population)) {
    return make_option_error("start",
                             fmt::format("the search to continue has {} in generation {}",
                                         counted(start.population.size(), "design"), start.generation),
                             fmt::format("the options ask for {}", options.population));
  }
  // A file may come from anywhere. Its numbers are taken for designs only where they could be some of this problem.
  if (!fits(problem, start.best) ||
      !std::ranges::all_of(start.population, [&](const Design& design) { return fits(problem, design); }) ||
      !std::ranges::all_of(start.archive, [&](const Design& design) { return fits(problem, design); }) ||
      !std::ranges::all_of(start.gain.designs, [&](const Design& design) { return fits(problem, design); })) {
    return make_option_error("start",
                             "the search to continue is of another problem: its designs have other parameters or "
                             "goals, or lie outside the bounds");
  }
  return {};
}

}  // namespace

Result<void> check_problem(const Problem& problem) {
  const std::size_t count = problem.low.size();
  if (count == 0) return make_error(ErrorCode::kValue, {}, "there is no parameter to search for");
  if (problem.high.size() != count || (!problem.logarithmic.empty() && problem.logarithmic.size() != count)) {
    return make_error(ErrorCode::kValue, {},
                      fmt::format("{} but {}, and {} that say whether a parameter is logarithmic; give as many of each",
                                  counted(count, "lower bound"), counted(problem.high.size(), "upper bound"),
                                  counted(problem.logarithmic.size(), "flag")));
  }
  if (problem.goals < 1) {
    return make_error(ErrorCode::kValue, {},
                      fmt::format("{} goals were asked for; at least 1 is needed", problem.goals));
  }
  if (!problem.evaluate) return make_error(ErrorCode::kValue, {}, "there is no function to make small");
  for (std::size_t k = 0; k < count; ++k) {
    const Result<void> bounds = check_bounds(problem, k);
    ESPALIER_TRY(bounds);
  }
  return {};
}

Result<void> check_options(const Problem& problem, const SearchOptions& options) {
  const auto at_least = [](const char* option, const char* what, int value, int least) {
    return make_option_error(option, fmt::format("{} is {}", what, value),
                             fmt::format("it must be at least {}", least));
  };
  if (options.population < 4) return at_least("population", "the population", options.population, 4);
  if (options.generations < 1) return at_least("generations", "the number of generations", options.generations, 1);
  if (options.patience < 0) return at_least("patience", "the patience", options.patience, 0);
  if (options.threads < 1) return at_least("threads", "the number of threads", options.threads, 1);
  for (const std::vector<double>& guess : options.guesses) {
    if (guess.size() == problem.low.size() && std::ranges::all_of(guess, [](double x) { return std::isfinite(x); })) {
      continue;
    }
    return make_option_error(
        "guesses", fmt::format("a guess must be {}, one for each parameter", counted(problem.low.size(), "number")));
  }
  const Result<void> suits = check_algorithm(problem, options);
  ESPALIER_TRY(suits);
  if (options.start != nullptr) return check_start(problem, options);
  return {};
}

}  // namespace espalier::optimize::detail
