#include "espalier/optimize/detail/run_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "espalier/optimize/detail/gain.hpp"
#include "espalier/optimize/detail/ranking.hpp"
#include "espalier/optimize/detail/scale.hpp"

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::optimize::detail {

namespace {

// The guesses, and after them uniform in the unit cube.
std::vector<Design> random_population(const Problem& problem, const SearchOptions& options, Evaluator& evaluator) {
  const Scale scale(problem);
  std::vector<double> parameters;
  for (int i = 0; i < options.population; ++i) {
    if (to_index(i) < options.guesses.size()) {
      const std::vector<double>& guess = options.guesses[to_index(i)];
      for (std::size_t k = 0; k < scale.size(); ++k) {
        parameters.push_back(std::clamp(guess[k], problem.low[k], problem.high[k]));
      }
      continue;
    }
    // Keyed by the individual: guesses change nothing for the designs that are drawn.
    Random random(options.seed, 1, static_cast<std::uint32_t>(i));
    for (std::size_t k = 0; k < scale.size(); ++k) parameters.push_back(scale.from_unit(k, random.uniform()));
  }
  return make_designs(problem, parameters, evaluator.evaluate(parameters));
}

// Not simply the best of the population: with several goals the design that is best in the first may be crowded out.
void keep_best(SearchState& state) {
  if (state.best.goals.empty()) state.best = state.population.front();
  for (const Design& design : state.population) {
    if (is_better(design, state.best)) state.best = design;
  }
}

double mean_of_first_goal(std::span<const Design> population) {
  double sum = 0;
  int count = 0;
  for (const Design& design : population) {
    // One penalty or NaN would drown the mean of all others.
    if (std::isnan(design.goals[0]) || design.excess > 0) continue;
    sum += design.goals[0];
    ++count;
  }
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / count;
}

// Why no further generation is wanted; nothing where one is.
std::optional<End> end_of(const Problem& problem, const SearchOptions& options, const SearchState& state) {
  // With several goals no single number says enough.
  if (problem.goals == 1 && state.generation > 0 && !(state.best.excess > 0) &&
      state.best.goals[0] <= options.good_enough) {
    return End::kGoodEnough;
  }
  if (state.generation >= options.generations) return End::kGenerations;
  if (options.patience > 0 && state.generation - state.gain.generation >= options.patience) return End::kNoGain;
  return std::nullopt;
}

}  // namespace

std::vector<Design> make_designs(const Problem& problem, std::span<const double> parameters,
                                 std::span<const double> values) {
  const std::size_t width = problem.low.size(), numbers = values_of(problem);
  std::vector<Design> designs(parameters.size() / width);
  for (std::size_t i = 0; i < designs.size(); ++i) {
    const auto mine = parameters.subspan(i * width, width);
    const auto goals = values.subspan(i * numbers, to_index(problem.goals));
    designs[i].parameters.assign(mine.begin(), mine.end());
    designs[i].goals.assign(goals.begin(), goals.end());
    if (problem.limited) designs[i].excess = values[(i + 1) * numbers - 1];
  }
  return designs;
}

Search run_search(const Problem& problem, const SearchOptions& options, Evaluator& evaluator, const Step& step) {
  Search search;
  SearchState& state = search.state;
  // 1. Where a search goes on it counts on from what it had: the state has all since the beginning, the answer what
  // this call did.
  if (options.start != nullptr) state = *options.start;
  const std::int64_t before = state.evaluations, without_number_before = state.without_number;
  if (problem.goals > 1) {
    evaluator.watch([&](std::span<const double> parameters, std::span<const double> values) {
      add_to_front(state.archive, make_designs(problem, parameters, values), kMostArchived);
    });
  }
  std::optional<End> end = end_of(problem, options, state);
  while (!end && !search.stopped) {
    // 2. A generation that is cut short must leave no trace: a restart makes it again, the same.
    const SearchState complete = state;
    if (++state.generation == 1) {
      state.population = random_population(problem, options, evaluator);
    } else {
      step(state);
    }
    if (evaluator.is_interrupted()) {
      state = complete;
      search.stopped = true;
      break;
    }
    // 3. Only now does the generation count.
    keep_best(state);
    keep_gain(problem.goals, state);
    state.evaluations = before + evaluator.evaluations();
    state.without_number = without_number_before + evaluator.without_number();
    search.history.push_back({state.generation, state.best, mean_of_first_goal(state.population)});
    if (options.on_generation) options.on_generation(search.history.back(), state);
    const bool wished = evaluator.stop_is_wished() || (options.stop != nullptr && options.stop->load());
    end = end_of(problem, options, state);
    search.stopped = wished && !end;
  }
  search.end = end.value_or(End::kStopped);
  // 4. Of several goals the archive holds what the population has lost since.
  search.best = state.best;
  if (problem.goals > 1) search.front = first_front(state.archive);
  search.evaluations = state.evaluations - before;
  return search;
}

}  // namespace espalier::optimize::detail
