#include "espalier/plan/detail/search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/plan/detail/grower.hpp"
#include "espalier/plan/detail/landscape.hpp"

namespace espalier::plan::detail {
namespace {

// At effort 1 as many steps as visit this many edges, but at least these.
constexpr double kEdgeVisits = 4e5;
constexpr double kFewSteps = 12;
constexpr double kMostSteps = 1e6;
// Passes of regrow a step: as long as each lowers the weight by this part of it, but no more than these.
constexpr double kWorthAPass = 1e-6;
constexpr int kMostPasses = 3;
// Slopes worth trying, as powers of two times mean weight over mean length: below the gentlest the tree is the lightest
// one, above the steepest it is a shortest-path tree.
constexpr int kGentlest = -8;
constexpr int kSteepest = 2;
// Up to here the search also leaves the neighbourhood of the best tree; larger graphs have too many others.
constexpr int kSmall = 200;

// A tree beside its length and weight, and the slope it grew with.
struct Candidate {
  graph::Tree tree;
  Measure measure;
  double slope = 0;
};

// How far beyond the goal's limits, relative to them.
// Relative, so that length and weight can be added: a search without an allowed tree walks towards the limits.
double excess_over_limits(const Goal& goal, const Measure& measure) {
  if (is_allowed(goal, measure)) return 0;
  const auto over = [](double value, double most) {
    return std::max(0.0, value - most) / std::max(most, std::numeric_limits<double>::min());
  };
  return over(measure.length, goal.most_length) + over(measure.weight, goal.most_weight);
}

// 1. start(): the two extremes, the shortest-path tree and the lightest one.
// 2. scan(): trees between them, by slope, then more finely around the best.
// 3. shake(): the best one's neighbourhood, with disturbed weights, as long as steps are left.
class Searcher {
 public:
  Searcher(const Problem& problem, const Goal& goal, const SearchOptions& options, const Bounds& bounds)
      : problem_(problem), goal_(goal), options_(options), bounds_(bounds), grower_(problem) {
    const auto size = static_cast<double>(problem.graph.vertices) + static_cast<double>(problem.graph.edges.size());
    const auto total = [](const std::vector<double>& values) {
      return std::accumulate(values.begin(), values.end(), 0.0);
    };
    enough_ = bounds.lb10 * (1 + options.enough);
    unit_ = total(problem.weight) / total(problem.length);
    // Work is counted in edges visited, not in seconds: the same steps on every machine.
    large_ = kEdgeVisits / size <= kFewSteps;
    most_steps_ =
        static_cast<int>(std::clamp(options.effort * std::max(kEdgeVisits / size, kFewSteps), 1.0, kMostSteps));
  }

  void run(std::span<const int> lightest);
  const graph::Tree& best() const { return best_.tree; }
  int steps() const { return steps_; }

 private:
  bool is_better(const Measure& one, const Measure& other) const;
  bool may_go_on();
  void try_slope(int root, double slope, double room);
  void lighten(double cap);
  bool keep_if_better();
  void start(std::span<const int> lightest);
  void scan();
  void shake(int round);

  const Problem& problem_;
  const Goal& goal_;
  const SearchOptions& options_;
  const Bounds& bounds_;
  Grower grower_;
  Candidate best_;
  Candidate current_;
  std::vector<double> weight_;  // by edge, to grow by; empty: the true ones
  double enough_ = 0;           // a cost that needs no improvement
  double unit_ = 1;             // mean weight over mean length
  bool large_ = false;          // each step counts
  int steps_ = 0;
  int most_steps_ = 0;
};

bool Searcher::may_go_on() {
  if (steps_ >= most_steps_) return false;
  // Once there is no reason to go on there is none for the rest of the search either.
  const bool enough = is_allowed(goal_, best_.measure) && cost(goal_, best_.measure) <= enough_;
  if (enough || (options_.stop && options_.stop())) most_steps_ = 0;
  return steps_ < most_steps_;
}

// Equal in cost, the one that is smaller in what the cost leaves out.
bool Searcher::is_better(const Measure& one, const Measure& other) const {
  const std::array<double, 3> a = {excess_over_limits(goal_, one), cost(goal_, one), one.length + one.weight};
  const std::array<double, 3> b = {excess_over_limits(goal_, other), cost(goal_, other), other.length + other.weight};
  return a < b;
}

void Searcher::lighten(double cap) {
  for (int pass = 0; pass < kMostPasses; ++pass) {
    // Each pass starts from other stems, so that a second one may find what the first could not reach.
    const double before = current_.measure.weight;
    current_.measure = grower_.regrow(current_.tree, cap);
    if (current_.measure.weight >= before * (1 - kWorthAPass)) break;
  }
  // Made lighter under a cap, the tree may hang better elsewhere.
  if (problem_.root < 0) current_.measure.length = grower_.recentre(current_.tree);
  ++steps_;
  keep_if_better();
}

bool Searcher::keep_if_better() {
  if (!best_.tree.order.empty() && !is_better(current_.measure, best_.measure)) return false;
  best_ = current_;
  return true;
}

// `room` is how much longer than it grew the critical branch may become, as a factor.
void Searcher::try_slope(int root, double slope, double room) {
  current_.slope = slope;
  current_.measure = grower_.grow(current_.tree, root, weight_, slope);
  const double length = current_.measure.length;
  // A limit on the length alone says how long the branch may be.
  if (goal_.length_factor == 0 && goal_.most_length < std::numeric_limits<double>::infinity()) {
    lighten(goal_.most_length);
  } else {
    lighten(std::min(length * room, std::max(length, goal_.most_length)));
  }
}

// Shortest paths, and the lightest tree.
void Searcher::start(std::span<const int> lightest) {
  // 1. Without weights a tree grows by depth alone: shortest paths from the root of smallest radius.
  weight_.assign(problem_.weight.size(), 0);
  current_.slope = std::ldexp(unit_, kSteepest);
  current_.measure = grower_.grow(current_.tree, bounds_.length_root, weight_, 1);
  keep_if_better();
  // A large shortest-path tree is too heavy to become a good one this way.
  if (!large_) lighten(current_.measure.length);
  weight_.clear();
  current_.slope = std::ldexp(unit_, kGentlest);
  current_.tree = hang_best(problem_, lightest);
  current_.measure = measure(problem_, current_.tree);
  lighten(current_.measure.length);
}

// From nearly lightest to nearly shortest; then more finely around the best, from its own root and the bounds'.
void Searcher::scan() {
  // 2. From the centre of the lightest tree.
  const int root = current_.tree.root;
  int worse = 0;
  for (int k = kGentlest; k <= kSteepest && may_go_on(); k += 2) {
    try_slope(root, std::ldexp(unit_, k), 1);
    worse = is_better(best_.measure, current_.measure) ? worse + 1 : 0;
    // Where steps are few, the rest of the way up is not worth them.
    if (worse == 2 && large_) break;
  }
  // The best slope lies between its neighbours; two roots each, as the bounds have a favourite of their own.
  for (const double ratio : {2.0, std::sqrt(2.0)}) {
    for (const int from : {best_.tree.root, bounds_.cost_root}) {
      for (const double slope : {best_.slope / ratio, best_.slope * ratio}) {
        if (may_go_on()) try_slope(from, slope, 1);
      }
    }
  }
}

// Grows anew by disturbed weights: mostly those outside the best tree, now and then all, and from any root.
void Searcher::shake(int round) {
  // 3. Keyed by seed and round, so that a search that is stopped and one that goes on agree on what they share.
  Random random(options_.seed, static_cast<std::uint32_t>(round));
  const bool near = problem_.graph.vertices > kSmall || round % 2 == 0;
  const double noise = (near ? 0.3 : 3.0) * random.uniform();
  weight_.resize(problem_.weight.size());
  for (std::size_t e = 0; e < weight_.size(); ++e) weight_[e] = problem_.weight[e] * (1 + noise * random.uniform());
  int root = best_.tree.root;
  if (near) {
    for (const int e : best_.tree.parent_edge) {
      if (e >= 0) weight_[e] = problem_.weight[e];
    }
  } else if (problem_.root < 0 && random.below(2) == 0) {
    root = random.below(problem_.graph.vertices);
  }
  // Half of the rounds may trade a longer branch for a lighter tree.
  const double slope = best_.slope * random.uniform(0.5, 2);
  try_slope(root, slope, random.below(2) == 0 ? 1.0 : random.uniform(1.0, 1.15));
}

void Searcher::run(std::span<const int> lightest) {
  start(lightest);
  // One tree only.
  if (problem_.graph.edges.size() + 1 == to_index(problem_.graph.vertices)) return;
  scan();
  for (int round = 0; may_go_on(); ++round) shake(round);
}

}  // namespace

SearchResult search_tree(const Problem& problem, const Goal& goal, const SearchOptions& options) {
  Landscape landscape(problem);
  SearchResult result;
  result.bounds = find_bounds(landscape, goal, options.bounds);
  Searcher searcher(problem, goal, options, result.bounds);
  searcher.run(landscape.lightest.edges);
  // Hung and measured anew, as everybody else does: sums in another order differ in their last digits.
  graph::Tree tree = hang_best(problem, graph::tree_edges(searcher.best()));
  result.measure = measure(problem, tree);
  result.cost = cost(goal, result.measure);
  if (is_allowed(goal, result.measure)) result.tree = std::move(tree);
  result.steps = searcher.steps();
  return result;
}

}  // namespace espalier::plan::detail
