#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace espalier::graph {

// An undirected multigraph on the vertices 0 .. vertices-1. Edges keep the order they were given in.
struct Edge {
  int a = 0;
  int b = 0;
};

// An edge that is passed in one direction.
struct Arc {
  int from = 0;
  int to = 0;
};

struct Graph {
  int vertices = 0;
  std::vector<Edge> edges;
};

// The edges at each vertex, in edge order: incident(v) lists (edge, other end). O(V + E) to make.
class Adjacency {
 public:
  struct Step {
    int edge;
    int to;
  };
  explicit Adjacency(const Graph& graph);
  std::span<const Step> incident(int vertex) const;

 private:
  std::vector<std::size_t> first_;
  std::vector<Step> steps_;
};

// A spanning tree hung on its root; or a forest, one tree per connected component, with the root of one of them.
struct Tree {
  int root = -1;
  std::vector<int> parent;       // by vertex; -1 for a root
  std::vector<int> parent_edge;  // by vertex; -1 for a root
  std::vector<int> order;        // all vertices, parents before children

  bool operator==(const Tree&) const = default;
};

// By vertex: the edges on its way to the root. O(V).
std::vector<int> levels(const Tree& tree);

// A spanning forest and what it says of the graph's components and loops.
struct Forest {
  Tree tree;                   // its root is vertex 0, or -1 in a graph without vertices
  std::vector<int> level;      // levels(tree)
  std::vector<int> component;  // by vertex; 0, 1, ... in the order of their lowest vertex
  std::vector<int> chords;     // the edges in no tree, in edge order: one independent loop each
  int components = 0;
};

// Breadth first from the lowest vertex of each component. O(V + E).
Forest breadth_first_forest(const Graph& graph);

// The loop that a chord closes with the tree, as edges in cyclic order, the chord first. A self loop is itself. `level`
// is levels(tree). O(loop).
std::vector<int> fundamental_loop(const Graph& graph, const Tree& tree, std::span<const int> level, int chord);

// Spanning trees of a connected graph, and what a recursion over them costs: depths, eccentricities, centres.

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
