#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "espalier/graph/graph.hpp"
#include "espalier/graph/tree.hpp"

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
  double eccentricity() const;                                    // the largest finite distance
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

}  // namespace espalier::graph
