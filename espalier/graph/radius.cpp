#include "espalier/graph/paths.hpp"

#include <algorithm>

#include "espalier/base/index.hpp"

namespace espalier::graph {
namespace {

constexpr int kNone = -1;

class Sweep {
 public:
  explicit Sweep(ShortestPaths& paths) : paths_(paths), seen_(to_index(paths.vertices()), 0) {
    result_.upper = std::numeric_limits<double>::infinity();
    result_.bounds.assign(seen_.size(), 0);
  }

  // Runs from `source`; returns the farthest vertex.
  int run(int source) {
    paths_.run(source);
    ++result_.runs;
    seen_[source] = 1;
    const double eccentricity = paths_.eccentricity();
    const int farthest = paths_.order().back();
    if (eccentricity < result_.upper) {
      result_.upper = eccentricity;
      result_.centre = source;
    }
    if (eccentricity > result_.diameter) {
      result_.diameter = eccentricity;
      result_.far_a = source;
      result_.far_b = farthest;
    }
    // (P11) The way from v to its farthest vertex is at least the one to the source, and with the way back to v at
    //       least as long as the source's own.
    const std::span<const double> distance = paths_.distance();
    for (std::size_t v = 0; v < seen_.size(); ++v) {
      result_.bounds[v] = std::max({result_.bounds[v], distance[v], eccentricity - distance[v]});
    }
    // Of the source it is known.
    result_.bounds[source] = eccentricity;
    return farthest;
  }

  // The vertex with the smallest bound below the best eccentricity; the nearest to the last source of equals. Sets
  // `lower`. kNone where all are ruled out.
  int most_promising() {
    int best = kNone;
    result_.lower = result_.upper;
    for (int v = 0; v < static_cast<int>(seen_.size()); ++v) {
      // What reaches the best eccentricity cannot be a better centre.
      if (seen_[v] || result_.bounds[v] >= result_.lower) continue;
      best = v;
      result_.lower = result_.bounds[v];
    }
    return best;
  }

  bool was_source(int v) const { return seen_[v] != 0; }
  Radius take() { return std::move(result_); }
  int runs() const { return result_.runs; }

 private:
  ShortestPaths& paths_;
  std::vector<char> seen_;
  Radius result_;
};

}  // namespace

// 1. Two runs to the far ends. 2. In turns: the vertex with the smallest bound, and the vertex farthest from it, which
// raises the bounds of all its neighbours, since it is what they missed.
Radius find_radius(ShortestPaths& paths, int most_runs) {
  Sweep sweep(paths);
  int next = sweep.run(0);
  bool centre_turn = false;
  while (sweep.runs() < most_runs) {
    if (!centre_turn && sweep.was_source(next)) centre_turn = true;
    if (centre_turn) next = sweep.most_promising();
    if (next == kNone) break;
    next = sweep.run(next);
    // The first far vertex leads to a second one; from then on they take turns.
    centre_turn = sweep.runs() > 2 && !centre_turn;
  }
  const bool exact = sweep.most_promising() == kNone;
  Radius result = sweep.take();
  result.exact = exact;
  return result;
}

}  // namespace espalier::graph
