#include "espalier/plan/detail/bounds.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "espalier/base/index.hpp"
#include "espalier/graph/paths.hpp"
#include "espalier/plan/detail/landscape.hpp"

namespace espalier::plan::detail {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// The smallest eccentricity a root can have, and a bound on each root's own.
struct Reach {
  double lower = 0;
  int root = -1;
  bool exact = false;
  int runs = 0;
  std::vector<double> bounds;  // by vertex; infinite for those that are no root
};

// (P7), (P8) The radius under a l + b c, and (P11) a bound on the eccentricity of every vertex beside it.
Reach find_reach(Landscape& landscape, double a, double b, int most_runs) {
  landscape.paths.set_length(landscape.mix(a, b));
  const int root = landscape.problem.root;
  if (root < 0) {
    graph::Radius radius = graph::find_radius(landscape.paths, std::max(most_runs, 1));
    return {radius.lower, radius.centre, radius.exact, radius.runs, std::move(radius.bounds)};
  }
  landscape.paths.run(root);
  Reach reach{landscape.paths.eccentricity(), root, true, 1, {}};
  // The minimum over r has one member.
  reach.bounds.assign(to_index(landscape.problem.graph.vertices), kInfinite);
  reach.bounds[root] = reach.lower;
  return reach;
}

// Raises the bounds of LB8 by pairs, each chosen against the root that is the best so far.
class Pairs {
 public:
  Pairs(Landscape& landscape, const Goal& goal, std::vector<double> bounds)
      : landscape_(landscape),
        paths_(landscape.paths),
        a_(goal.length_factor),
        b_(goal.weight_factor),
        bounds_(std::move(bounds)) {}

  double diameter() const { return diameter_; }
  double lower() const { return bounds_[best_root()]; }
  int runs() const { return runs_; }

  // The two ends of a double sweep: vertices far apart, whose ways part early.
  void add_diameter() {
    use_halves();
    // (P9) and (P10) have different lengths on the way to a pair: half of l there, all of it before the ways part.
    const int p = run(best_root());
    const int q = run(p);
    to_p_.assign(paths_.distance().begin(), paths_.distance().end());
    add(q);
  }

  // The vertex p farthest from the best root, and the q that is worst for both. False where that does not raise the
  // bound.
  bool add_worst() {
    const int root = best_root();
    paths_.set_length(landscape_.mix(a_, b_));
    const int p = run(root);
    // (P10) for this root and p, and every q at once: shortest ways from all x, each of which starts at what the common
    // part and p's own cost up to there. The farthest q is the worst.
    sum_.assign(paths_.distance().begin(), paths_.distance().end());
    use_halves();
    run(p);
    to_p_.assign(paths_.distance().begin(), paths_.distance().end());
    for (std::size_t v = 0; v < sum_.size(); ++v) sum_[v] += to_p_[v];
    paths_.run_from(sum_);
    ++runs_;
    const int q = paths_.order().back();
    if (paths_.eccentricity() <= bounds_[root] * (1 + kSameCost)) return false;
    add(q);
    return true;
  }

 private:
  // The minimum over r: whichever root is the best by the bounds so far decides, and only raising its own helps.
  int best_root() const { return static_cast<int>(std::min_element(bounds_.begin(), bounds_.end()) - bounds_.begin()); }

  void use_halves() { paths_.set_length(landscape_.mix(a_ / 2, b_)); }

  int run(int source) {
    paths_.run(source);
    ++runs_;
    return paths_.order().back();
  }

  // The pair (p, q), with the distances to p in to_p_.
  void add(int q) {
    run(q);
    diameter_ = std::max(diameter_, paths_.eccentricity());
    // (P10) The minimum over x for all roots at once: shortest ways from every x, which starts at what it costs to
    // reach both ends from there.
    sum_.resize(to_p_.size());
    for (std::size_t v = 0; v < sum_.size(); ++v) sum_[v] = to_p_[v] + paths_.distance()[v];
    paths_.set_length(landscape_.mix(a_, b_));
    paths_.run_from(sum_);
    ++runs_;
    for (std::size_t v = 0; v < bounds_.size(); ++v) bounds_[v] = std::max(bounds_[v], paths_.distance()[v]);
  }

  Landscape& landscape_;
  graph::ShortestPaths& paths_;
  double a_;
  double b_;
  std::vector<double> bounds_;
  std::vector<double> to_p_;
  std::vector<double> sum_;
  double diameter_ = 0;
  int runs_ = 0;
};

void add_pairs(Landscape& landscape, const Goal& goal, int most, std::vector<double> reach, Bounds& bounds) {
  Pairs pairs(landscape, goal, std::move(reach));
  pairs.add_diameter();
  // The maximum over any set of pairs is a bound, so that this may end wherever it gains no more.
  for (int k = 1; k < most && pairs.add_worst(); ++k) {
  }
  // A diameter under a l / 2 + b c is half of one under a l + 2 b c.
  const double base = goal.weight_factor * bounds.weight;
  bounds.lb9 = base + pairs.diameter();
  bounds.lb10 = std::max({bounds.theorem7, bounds.lb8, bounds.lb9, base + pairs.lower()});
  bounds.runs += pairs.runs();
}

}  // namespace

Bounds find_bounds(Landscape& landscape, const Goal& goal, const BoundOptions& options) {
  Bounds bounds;
  bounds.weight = landscape.lightest.weight;
  // 1. (P7) The plain radius, which bounds L alone.
  const Reach shortest = find_reach(landscape, 1, 0, options.runs);
  bounds.length = shortest.lower;
  bounds.length_root = bounds.cost_root = shortest.root;
  bounds.exact = shortest.exact;
  bounds.runs = shortest.runs;
  bounds.theorem7 = goal.length_factor * bounds.length + goal.weight_factor * bounds.weight;
  bounds.lb8 = bounds.lb9 = bounds.lb10 = bounds.theorem7;
  // Of L or W alone nothing more can be said: the bounds that follow tie the two together.
  if (goal.length_factor <= 0 || goal.weight_factor <= 0) return bounds;
  // 2. (P8) The radius with the excess on every edge.
  Reach reach = find_reach(landscape, goal.length_factor, goal.weight_factor, options.runs);
  // Where the runs were used up, the plain radius may be the better of the two.
  bounds.lb8 = std::max(bounds.theorem7, goal.weight_factor * bounds.weight + reach.lower);
  bounds.lb9 = bounds.lb10 = bounds.lb8;
  bounds.cost_root = reach.root;
  bounds.exact = bounds.exact && reach.exact;
  bounds.runs += reach.runs;
  // 3. (P9), (P10)
  if (options.pairs > 0) add_pairs(landscape, goal, options.pairs, std::move(reach.bounds), bounds);
  return bounds;
}

Bounds find_bounds(const Problem& problem, const Goal& goal, const BoundOptions& options) {
  Landscape landscape(problem);
  return find_bounds(landscape, goal, options);
}

}  // namespace espalier::plan::detail
