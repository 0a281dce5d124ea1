#pragma once

// The lightest spanning tree and what every other edge costs beyond it.

#include <span>
#include <vector>

#include "espalier/graph/graph.hpp"

namespace espalier::graph {

struct Lightest {
  std::vector<int> edges;  // of the minimum weight spanning tree, in increasing order; as kruskal()
  // c by edge: its weight less the largest weight on the tree's path between its ends, 0 in the tree itself. Marked
  // edges count as lighter than all others there, since they never leave: c is infinite where the whole path is marked,
  // and for a self loop. Every spanning tree T that holds all marked edges of the lightest one weighs at least as much
  // as the lightest plus the sum of c over T, by exchange of bases.
  std::vector<double> excess;
  double weight = 0;  // of the tree, summed in edge order
};

// Of a connected graph. Equal weights go to the lower edge; edges marked in `first` (empty: none) are taken before all
// others, as far as they close no loop. O(E log V).
Lightest find_lightest(const Graph& graph, std::span<const double> weight, std::span<const char> first = {});

}  // namespace espalier::graph
