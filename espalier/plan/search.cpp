#include "espalier/plan/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "espalier/base/random.hpp"
#include "espalier/plan/detail/landscape.hpp"
#include "espalier/plan/detail/lift.hpp"
#include "espalier/plan/detail/regrow.hpp"

namespace espalier::plan {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// A tree beside its length and weight.
struct Candidate {
  graph::Tree tree;
  Measure measure;
};

// How far beyond the goal's limits, relative to them.
double excess_over_limits(const Goal& goal, const Measure& measure) {
  if (is_allowed(goal, measure)) return 0;
  const auto over = [](double value, double most) { return std::max(0.0, value - most) / std::max(most, 1e-300); };
  return over(measure.length, goal.most_length) + over(measure.weight, goal.most_weight);
}

class Searcher {
 public:
  Searcher(detail::Landscape& landscape, const Goal& goal, const SearchOptions& options, const Bounds& bounds)
      : landscape_(landscape),
        problem_(landscape.problem),
        goal_(goal),
        options_(options),
        bounds_(bounds),
        regrow_(problem_),
        lift_(problem_) {}

  void run();
  const graph::Tree& best() const { return best_.tree; }
  int steps() const { return steps_; }

 private:
  bool is_better(const Measure& one, const Measure& other) const;
  bool keep_if_better(const Candidate& candidate);
  bool may_go_on() { return steps_ < most_steps_ && !(options_.stop && options_.stop()); }
  Candidate measured(graph::Tree tree) const;
  void restore_pins(graph::Tree& tree) const;
  bool make_guide(const graph::Tree& tree, double cap);
  bool step(Candidate& current, double cap, double room);
  void start();
  void descend(Candidate current, double lambda, int steps);
  void shake(int round);

  detail::Landscape& landscape_;
  const Problem& problem_;
  const Goal& goal_;
  const SearchOptions& options_;
  const Bounds& bounds_;
  detail::Regrow regrow_;
  detail::Lift lift_;
  Candidate best_;
  Candidate lightest_;
  // The guide: a shortest-path tree from guide_.root in l + lambda_ c, where the edges of the tree at hand are free of
  // c.
  graph::Tree guide_;
  std::vector<double> guide_depth_;
  double guide_length_ = kInfinite;
  std::vector<double> metric_;
  double lambda_ = 0;
  int steps_ = 0;
  int most_steps_ = 0;
};

bool Searcher::is_better(const Measure& one, const Measure& other) const {
  const double over_one = excess_over_limits(goal_, one);
  const double over_other = excess_over_limits(goal_, other);
  if (over_one != over_other) return over_one < over_other;
  const double cost_one = cost(goal_, one);
  const double cost_other = cost(goal_, other);
  if (cost_one != cost_other) return cost_one < cost_other;
  return one.length + one.weight < other.length + other.weight;
}

bool Searcher::keep_if_better(const Candidate& candidate) {
  if (!best_.tree.order.empty() && !is_better(candidate.measure, best_.measure)) return false;
  best_ = candidate;
  return true;
}

Candidate Searcher::measured(graph::Tree tree) const {
  Candidate candidate{std::move(tree), {}};
  candidate.measure = measure(problem_, candidate.tree);
  return candidate;
}

// Pinned edges first, then the tree's own: the heaviest edge of each loop a pinned one closes is left out.
void Searcher::restore_pins(graph::Tree& tree) const {
  if (problem_.pinned.empty()) return;
  std::vector<double> weight(problem_.weight.size(), kInfinite);
  for (const int e : tree.parent_edge) {
    if (e >= 0) weight[e] = problem_.weight[e];
  }
  tree = graph::hang_tree(problem_.graph, graph::kruskal(problem_.graph, weight, problem_.pinned), tree.root);
}

// A guide from the tree's root with no vertex below the cap: the largest lambda that allows it, by halving. False where
// even the shortest paths reach below.
bool Searcher::make_guide(const graph::Tree& tree, double cap) {
  if (guide_.root == tree.root && guide_length_ <= cap) return true;
  for (;;) {
    const std::span<const double> mixture = landscape_.mix(1, lambda_);
    metric_.assign(mixture.begin(), mixture.end());
    for (const int e : tree.parent_edge) {
      if (e >= 0) metric_[e] = problem_.length[e];
    }
    landscape_.paths.run(metric_, tree.root);
    guide_ = landscape_.paths.tree();
    guide_depth_ = graph::depths(guide_, problem_.length);
    guide_length_ = *std::max_element(guide_depth_.begin(), guide_depth_.end());
    if (guide_length_ <= cap) return true;
    if (lambda_ == 0) return false;
    lambda_ = lambda_ > 0.02 * bounds_.length / bounds_.weight ? lambda_ / 2 : 0;
  }
}

// Lifts above `cap`, then makes lighter where nothing passes `room`. False where no tree from this root is so shallow.
bool Searcher::step(Candidate& current, double cap, double room) {
  if (current.measure.length > cap) {
    if (!make_guide(current.tree, cap)) return false;
    lift_.run(current.tree, guide_, guide_depth_, cap);
    restore_pins(current.tree);
  }
  double weight = kInfinite;
  for (int pass = 0; pass < 3; ++pass) {
    current.measure = regrow_.pass(current.tree, room, {});
    if (current.measure.weight >= weight) break;
    weight = current.measure.weight;
  }
  if (problem_.root < 0) current.measure.length = regrow_.recentre(current.tree);
  ++steps_;
  keep_if_better(current);
  return true;
}

void Searcher::start() {
  lightest_ = measured(hang_best(problem_, landscape_.lightest.edges));
  keep_if_better(lightest_);
  for (const int root : {bounds_.length_root, bounds_.cost_root}) {
    graph::Tree tree = (landscape_.paths.run(landscape_.mix(1, 0), root), landscape_.paths.tree());
    restore_pins(tree);
    Candidate candidate = measured(std::move(tree));
    keep_if_better(candidate);
    step(candidate, candidate.measure.length, candidate.measure.length);
  }
}

void Searcher::descend(Candidate current, double lambda, int steps) {
  lambda_ = lambda;
  guide_.root = -1;
  const double top = current.measure.length;
  const double bottom = std::max(bounds_.length, 1e-300);
  for (int k = 1; k <= steps && may_go_on(); ++k) {
    const double cap = top * std::pow(bottom / top, static_cast<double>(k) / steps);
    if (current.measure.length > cap && !step(current, cap, cap)) return;
  }
}

void Searcher::shake(int round) {
  Random random(options_.seed, static_cast<std::uint32_t>(round));
  Candidate current = best_;
  lambda_ = 32 * bounds_.length / bounds_.weight;
  guide_.root = -1;
  const double cap = current.measure.length * random.uniform(0.8, 1.0);
  const double room = current.measure.length * random.uniform(0.95, 1.1);
  step(current, cap, std::max(cap, room));
}

void Searcher::run() {
  const auto size = static_cast<double>(problem_.graph.vertices) + static_cast<double>(problem_.graph.edges.size());
  most_steps_ = static_cast<int>(std::clamp(options_.effort * 6e5 / size, 12.0, 4000.0));
  start();
  const double scale = goal_.length_factor > 0 && goal_.weight_factor > 0 ? goal_.weight_factor / goal_.length_factor
                                                                          : bounds_.length / bounds_.weight;
  descend(lightest_, 32 * scale, 10);
  for (int round = 0; may_go_on(); ++round) {
    const int before = steps_;
    shake(round);
    if (steps_ == before) ++steps_;
  }
}

}  // namespace

SearchResult search_tree(const Problem& problem, const Goal& goal, const SearchOptions& options) {
  detail::Landscape landscape(problem);
  SearchResult result;
  result.bounds = detail::find_bounds(landscape, goal, options.bounds);
  Searcher searcher(landscape, goal, options, result.bounds);
  searcher.run();
  graph::Tree tree = hang_best(problem, graph::tree_edges(searcher.best()));
  result.measure = measure(problem, tree);
  if (is_allowed(goal, result.measure)) result.tree = std::move(tree);
  result.steps = searcher.steps();
  return result;
}

}  // namespace espalier::plan
