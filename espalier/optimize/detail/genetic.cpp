#include "espalier/optimize/detail/genetic.hpp"

#include <algorithm>
#include <cmath>

#include "espalier/optimize/detail/ranking.hpp"
#include "espalier/optimize/detail/scale.hpp"

#include "espalier/base/numbers.hpp"

namespace espalier::optimize::detail {

namespace {

constexpr double kBeyond = 0.5;      // of the parents' distance; below 0.37 a population shrinks without selection
constexpr double kBoxShare = 0.5;    // of the children lie in the box around their parents
constexpr double kFirstWidth = 0.2;  // of mutation, as a share of the range
constexpr double kLastWidth = 1e-6;

using Units = std::vector<std::vector<double>>;  // parameters in the unit cube, by design

// Step 1 of docs/theory/optimize.md, section 2. Only the mate is selected: the other parent is every design in turn.
int tournament(const Ranking& ranking, Random& random) {
  const int count = static_cast<int>(ranking.front.size());
  const int a = random.below(count), b = random.below(count);
  return ranking.is_better(a, b) ? a : b;
}

void cross_in_box(std::span<const double> a, std::span<const double> b, Random& random, std::vector<double>& child) {
  for (std::size_t k = 0; k < child.size(); ++k) {
    // (O2)
    child[k] = a[k] + random.uniform(-kBeyond, 1 + kBeyond) * (b[k] - a[k]);
  }
}

// One factor for all parameters: children then follow a narrow valley that lies across the axes, which a box would
// leave. Without the step between two others they would never leave the space that a small population spans.
void cross_on_line(const Units& units, std::span<const double> a, std::span<const double> b, Random& random,
                   std::vector<double>& child) {
  const int count = static_cast<int>(units.size());
  const std::vector<double>& from = units[random.below(count)];
  const std::vector<double>& to = units[random.below(count)];
  const double along = random.uniform(0, 1 + kBeyond), aside = random.uniform();
  for (std::size_t k = 0; k < child.size(); ++k) {
    // (O3)
    child[k] = a[k] + along * (b[k] - a[k]) + aside * (to[k] - from[k]);
  }
}

// One parameter on average, of every other child.
void mutate(double width, Random& random, std::vector<double>& child) {
  if (random.uniform() < 0.5) return;
  for (double& unit : child) {
    if (random.uniform() * static_cast<double>(child.size()) < 1) unit += width * random.normal();
  }
}

double mutation_width(const SearchOptions& options, int generation) {
  // Step 3. Geometric, so that every decade of widths has its share of the generations; it depends on their number,
  // which is why a search goes on exactly only where the same number is asked for.
  const double passed = static_cast<double>(generation) / options.generations;
  return kFirstWidth * elementary::pow(kLastWidth / kFirstWidth, passed);
}

// The parameters of all children, end to end.
std::vector<double> make_children(const Scale& scale, const SearchOptions& options, const SearchState& state) {
  const Ranking ranking = rank_designs(state.population);
  const double width = mutation_width(options, state.generation);
  Units units;
  for (const Design& design : state.population) units.push_back(scale.to_unit(design.parameters));
  std::vector<double> children, child(scale.size());
  for (int i = 0; i < options.population; ++i) {
    // Keyed by the child, so that no child depends on how many numbers another one drew.
    Random random(options.seed, static_cast<std::uint32_t>(state.generation), static_cast<std::uint32_t>(i));
    const std::vector<double>& mate = units[tournament(ranking, random)];
    if (random.uniform() < kBoxShare) {
      cross_in_box(units[i], mate, random, child);
    } else {
      cross_on_line(units, units[i], mate, random, child);
    }
    // Beyond the bounds the function may not be defined: children are put back onto them.
    mutate(width, random, child);
    for (std::size_t k = 0; k < child.size(); ++k) {
      children.push_back(scale.from_unit(k, std::clamp(child[k], 0.0, 1.0)));
    }
  }
  return children;
}

// A child takes the place of its own parent and of no other: the population stays spread over several valleys longer
// than where the best of all live on.
void replace_parents(std::vector<Design>& population, std::vector<Design>& children) {
  for (std::size_t i = 0; i < population.size(); ++i) {
    // Step 4. Equal ones give way: a population on a plateau still moves.
    if (!is_better(population[i], children[i])) population[i] = std::move(children[i]);
  }
}

// The best half of parents and children together [Deb02].
void keep_best_half(std::vector<Design>& population, std::vector<Design>& children) {
  const std::size_t count = population.size();
  std::vector<Design> all = std::move(population);
  all.insert(all.end(), std::make_move_iterator(children.begin()), std::make_move_iterator(children.end()));
  const std::vector<int> order = best_first(rank_designs(all));
  population.clear();
  for (std::size_t i = 0; i < count; ++i) population.push_back(std::move(all[order[i]]));
}

}  // namespace

Step genetic_step(const Problem& problem, const SearchOptions& options, Evaluator& evaluator) {
  return [scale = Scale(problem), &problem, &options, &evaluator](SearchState& state) {
    const std::vector<double> parameters = make_children(scale, options, state);
    std::vector<Design> children = make_designs(problem, parameters, evaluator.evaluate(parameters));
    if (problem.goals == 1) {
      replace_parents(state.population, children);
    } else {
      keep_best_half(state.population, children);
    }
  };
}

}  // namespace espalier::optimize::detail
