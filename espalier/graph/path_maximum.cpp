#include "espalier/graph/paths.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "espalier/base/index.hpp"

namespace espalier::graph {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Disjoint sets that remember when they were joined: the smaller set hangs below the larger one, so no way up is longer
// than log2 V. Ways are never shortened: the weights grow along them, and the last step of the way between two elements
// is the heaviest edge of the tree's path.
class JoinTree {
 public:
  explicit JoinTree(int vertices)
      : parent_(to_index(vertices)),
        size_(parent_.size(), 1),
        weight_(parent_.size(), kInfinite),
        turn_(parent_.size(), std::numeric_limits<int>::max()) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  bool join(int a, int b, double weight) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    // Equal sizes go to the lower number, so that the same graph gives the same tree everywhere.
    if (size_[a] < size_[b] || (size_[a] == size_[b] && b < a)) std::swap(a, b);
    parent_[b] = a;
    size_[a] += size_[b];
    weight_[b] = weight;
    turn_[b] = turns_++;
    return true;
  }

  double maximum(int a, int b) const {
    // Of both ways up the one whose next step was made earlier is climbed: steps become later, and heavier, upwards.
    double heaviest = -kInfinite;
    while (a != b) {
      if (turn_[b] < turn_[a]) std::swap(a, b);
      heaviest = weight_[a];
      a = parent_[a];
    }
    return heaviest;
  }

 private:
  int find(int v) const {
    while (parent_[v] != v) v = parent_[v];
    return v;
  }

  std::vector<int> parent_;
  std::vector<int> size_;
  std::vector<double> weight_;  // of the edge that hung this one below its parent
  std::vector<int> turn_;       // when that was
  int turns_ = 0;
};

struct Candidate {
  double weight;
  int edge;
};

// Marked edges first, then by weight, then by number.
std::vector<Candidate> sort_edges(std::span<const double> weight, std::span<const char> first) {
  std::vector<Candidate> candidates(weight.size());
  for (int e = 0; e < static_cast<int>(weight.size()); ++e) {
    // Lighter than anything: a marked edge never leaves the tree for another, so nothing can exceed it.
    candidates[e] = {!first.empty() && first[e] != 0 ? -kInfinite : weight[e], e};
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.weight != b.weight ? a.weight < b.weight : a.edge < b.edge;
  });
  return candidates;
}

}  // namespace

Lightest find_lightest(const Graph& graph, std::span<const double> weight, std::span<const char> first) {
  // 1. Kruskal's method; -1 marks what is outside the tree so far.
  Lightest result;
  result.excess.assign(graph.edges.size(), -1);
  JoinTree joined(graph.vertices);
  for (const Candidate& candidate : sort_edges(weight, first)) {
    const Edge& edge = graph.edges[candidate.edge];
    if (joined.join(edge.a, edge.b, candidate.weight)) result.excess[candidate.edge] = 0;
  }
  // 2. (P6) What every other edge weighs beyond the heaviest it can replace. In edge order, since sums go in that order
  // everywhere. A path of marked edges alone has no maximum but minus infinity, hence an infinite excess.
  for (int e = 0; e < static_cast<int>(graph.edges.size()); ++e) {
    if (result.excess[e] == 0) {
      result.edges.push_back(e);
      result.weight += weight[e];
    } else {
      result.excess[e] = weight[e] - joined.maximum(graph.edges[e].a, graph.edges[e].b);
    }
  }
  return result;
}

}  // namespace espalier::graph
