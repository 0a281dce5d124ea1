#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "espalier/graph/graph.hpp"

namespace espalier::graph {

// Dijkstra's method with its scratch memory, made once for many runs. O((V + E) log V) a run, no allocation but in the
// first. Of equal ways the one found first stays; vertices of equal distance are settled in increasing order.
class ShortestPaths {
 public:
  explicit ShortestPaths(const Graph& graph);
  // The same over arcs, each passed in its own direction only; where edges are meant below, these are the arcs.
  ShortestPaths(int vertices, std::span<const Arc> arcs);

  // `length` by edge, none negative; an infinite one closes its edge. Holds for the runs that follow. O(V + E).
  void set_length(std::span<const double> length);

  void run(int source);
  void run(std::span<const double> length, int source);
  // From all vertices at once: distance(v) is the smallest start[x] + distance from x to v. `start` by vertex, none
  // negative. The last run is no tree then.
  void run_from(std::span<const double> start);

  int vertices() const { return static_cast<int>(distance_.size()); }

  // Of the last run.
  std::span<const double> distance() const { return distance_; }  // infinite where there is no way
  std::span<const int> order() const { return order_; }           // the vertices reached, nearest first
  std::span<const int> entering() const { return parent_edge_; }  // by vertex: the edge that reaches it, or -1
  bool reaches_all() const { return order_.size() == distance_.size(); }
  double eccentricity() const;  // the largest finite distance
  Tree tree() const;

 private:
  struct Step {
    double length;
    int edge;
    int to;
  };
  struct Entry {
    double distance;
    int vertex;
  };
  template <class Edges>
  void lay_out(int vertices, const Edges& edges);
  void settle_all();

  std::vector<std::size_t> first_;
  std::vector<Step> steps_;
  std::vector<double> distance_;
  std::vector<int> parent_;
  std::vector<int> parent_edge_;
  std::vector<int> order_;
  std::vector<Entry> heap_;
  int source_ = -1;
};

// How far apart the vertices of a connected graph are, from few shortest-path runs. Each run from s bounds the
// eccentricity of every other vertex v from below by max(d(s, v), ecc(s) - d(s, v)); a vertex whose bound reaches the
// smallest eccentricity seen cannot be a better centre. [Takes13] [Borassi15]

struct Radius {
  double lower = 0;     // no vertex has a smaller eccentricity
  double upper = 0;     // the eccentricity of `centre`, the smallest one found; equal to `lower` if `exact`
  int centre = -1;      // of equals the one found first
  bool exact = false;   // all vertices were ruled out before the runs were used up
  double diameter = 0;  // from below: the largest eccentricity seen
  int far_a = -1;       // two vertices at that distance
  int far_b = -1;
  int runs = 0;                // of Dijkstra's method
  std::vector<double> bounds;  // by vertex: its eccentricity is not smaller
};

// The lengths are those set in `paths`; all vertices must be in reach. `most_runs` at least 1. O(runs (V + E) log V);
// some ten runs on most graphs, V on a complete graph of equal lengths. Deterministic.
Radius find_radius(ShortestPaths& paths, int most_runs = std::numeric_limits<int>::max());

// The lightest spanning tree and what every other edge costs beyond it.

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

// How many ways lead from a to b without an edge in common, at most `most` of them: by Menger's theorem as many as the
// fewest edges whose removal parts the two. Each further way costs O(V + E) [Ford56]. a and b differ.
int disjoint_ways(const Graph& graph, const Adjacency& adjacency, int a, int b, int most);

}  // namespace espalier::graph
