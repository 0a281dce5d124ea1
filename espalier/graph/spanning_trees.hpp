#pragma once

// How many spanning trees a graph has: the choices among which a plan is found.

#include <optional>
#include <string>

#include "espalier/graph/graph.hpp"

namespace espalier::graph {

// Counts below ten to this power are exact.
inline constexpr int kMostExactDigits = 300;

struct TreeCount {
  std::string digits;  // the exact number; empty where it is not below 10^kMostExactDigits, or takes too long
  double log10 = 0;    // its logarithm, within 1e-12 for each vertex; minus infinity where there is no tree
};

// Of the multigraph: parallel edges make different trees, self loops are in none; one vertex has one tree. By the
// matrix-tree theorem [Kirchhoff47], vertex by vertex, those with the fewest neighbours first: on a mechanism in about
// O(E log V), on a complete graph in O(V^3), and that once for the logarithm and once for every 18 digits. Nothing
// where the elimination fills in too much for a second of work: on more than some 400 vertices that are all joined, or
// a grid of more than 100 x 100. The same bits on every machine.
std::optional<TreeCount> count_spanning_trees(const Graph& graph);

// "16", from 10^9 on "1.2e15".
std::string to_text(const TreeCount& count);

}  // namespace espalier::graph
