#pragma once

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

  // `length` by edge, none negative.
  void run(std::span<const double> length, int source);

  // Of the last run.
  std::span<const double> distance() const { return distance_; }  // infinite where there is no way
  std::span<const int> order() const { return order_; }           // the vertices reached, nearest first
  double eccentricity() const;                                    // the largest finite distance
  Tree tree() const;

 private:
  struct Entry {
    double distance;
    int vertex;
  };
  Adjacency adjacency_;
  std::vector<double> distance_;
  std::vector<int> parent_;
  std::vector<int> parent_edge_;
  std::vector<int> order_;
  std::vector<Entry> heap_;
  int source_ = -1;
};

}  // namespace espalier::graph
