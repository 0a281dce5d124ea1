#pragma once

// The graph problem behind every plan: a spanning tree and its root, chosen by two numbers. [Liu99]
//   L  length of the critical branch, the longest way from the root to a leaf; what S1 costs in parallel, eq. (12)
//   W  weight of the tree, the sum of w over its edges; what S2 costs, eq. (1)

#include <limits>
#include <span>
#include <vector>

#include "espalier/base/index.hpp"
#include "espalier/graph/graph.hpp"
#include "espalier/plan/network.hpp"

namespace espalier::plan::detail {

// A connected graph without self loops (parallel edges are welcome), ready to be searched.
struct Problem {
  graph::Graph graph;
  std::vector<double> weight;  // by edge; positive
  std::vector<double> length;  // by edge; positive
  std::vector<char> pinned;    // by edge: 1 must be in the tree; empty: none. Pinned edges close no loop.
  int root = -1;               // -1: any vertex, the best one is found

  bool is_pinned(int edge) const { return !pinned.empty() && pinned[to_index(edge)] != 0; }
};

// Minimise length_factor L + weight_factor W subject to L <= most_length and W <= most_weight: all problems of [Liu99]
// in one. MCCST is {1, beta}; BCBMWST is {0, 1, K2}; BWSCBST is {1, 0, infinity, K1}.
struct Goal {
  double length_factor = 1;
  double weight_factor = 1;
  double most_length = std::numeric_limits<double>::infinity();
  double most_weight = std::numeric_limits<double>::infinity();
};

Measure measure(const Problem& problem, const graph::Tree& tree);
double cost(const Goal& goal, const Measure& measure);
// Whether a tree keeps the goal's limits, with kSameCost to spare.
bool is_allowed(const Goal& goal, const Measure& measure);

// The tree on these edges, hung on the problem's root, or on its own centre of the lowest number where the root is
// free.
graph::Tree hang_best(const Problem& problem, std::span<const int> edges);

}  // namespace espalier::plan::detail
