#pragma once

// Spanning trees of a connected graph, and what a recursion over them costs: depths, eccentricities, centres.

#include <span>
#include <vector>

#include "espalier/graph/graph.hpp"

namespace espalier::graph {

// Hangs the spanning tree made of these n - 1 edges on `root`. Children follow in the order of `edges`. O(V).
Tree hang_tree(const Graph& graph, std::span<const int> edges, int root);

// The same tree on another root. O(V).
Tree reroot(const Graph& graph, const Tree& tree, int root);

// The tree's edges in increasing order; the others of a graph with `edges` edges.
std::vector<int> tree_edges(const Tree& tree);
std::vector<int> chords(const Tree& tree, std::size_t edges);

// First found, first kept; neighbours in edge order. O(V + E).
Tree breadth_first_tree(const Adjacency& adjacency, int vertices, int root);
Tree depth_first_tree(const Adjacency& adjacency, int vertices, int root);

// Minimum weight spanning trees as edges in increasing order. Equal weights go to the lower edge. Edges marked in
// `first` (empty: none) are taken before all others, as far as they close no loop.
std::vector<int> kruskal(const Graph& graph, std::span<const double> weight, std::span<const char> first = {});
std::vector<int> prim(const Adjacency& adjacency, int vertices, std::span<const double> weight, int root);

// Distance from the root along the tree, by vertex.
std::vector<double> depths(const Tree& tree, std::span<const double> length);

// The longest way down from each vertex.
std::vector<double> heights(const Tree& tree, std::span<const double> length);

// The vertices from which the farthest one is nearest, within 1e-12 of the radius, in increasing order. [Liu99] (13).
struct Centres {
  double radius = 0;
  std::vector<int> vertices;
};
Centres find_centres(const Tree& tree, std::span<const double> length);

}  // namespace espalier::graph
