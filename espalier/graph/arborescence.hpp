#pragma once

#include <span>
#include <vector>

#include "espalier/graph/graph.hpp"

namespace espalier::graph {

// The lightest set of arcs that leads from a root to every vertex, by the method of Chu, Liu and Edmonds, with the
// dual solution that proves it: what any other arc would add at least. Scratch memory is made once for many runs.
class MinimumArborescence {
 public:
  MinimumArborescence(int vertices, std::span<const Arc> arcs);

  // Arcs with usable[a] == 0 do not exist. Weights may be negative. Equal weights go to the lower arc. Returns the
  // weight, infinite where some vertex cannot be reached. O(V E), mostly far less.
  double run(std::span<const double> weight, std::span<const char> usable, int root);

  // Of the last run that reached every vertex.
  std::span<const int> entering() const { return {chosen_.data(), vertices_}; }  // by vertex: its arc; -1 for the root
  // By arc: an arborescence that holds the arcs A weighs at least run() + the sum of reduced over A.
  std::span<const double> reduced() const { return reduced_; }

 private:
  struct Cheapest {
    int arc = -1;
    double reduced = 0;
  };
  Cheapest find_cheapest(int group, std::span<const char> usable) const;
  void lower_entering(int group, double amount, std::span<const char> usable);
  int contract(std::span<const int> cycle);
  void expand();

  std::size_t vertices_;
  std::vector<Arc> arcs_;
  std::vector<int> first_in_;  // arcs into v: in_[first_in_[v]] .. in_[first_in_[v + 1] - 1]
  std::vector<int> in_;
  // A group is a vertex or a contracted cycle of groups; 0 .. vertices - 1 are the vertices themselves.
  int groups_ = 0;
  std::vector<int> group_of_;    // by vertex: the largest group that holds it
  std::vector<int> outer_;       // by group: the group it was contracted into, or -1
  std::vector<int> chosen_;      // by group: the arc that enters it
  std::vector<int> first_;       // by group: its vertices, linked by next_
  std::vector<int> last_;        // by group
  std::vector<int> next_;        // by vertex
  std::vector<char> reached_;    // by group: a way from the root is known
  std::vector<int> place_;       // by group: where it lies on path_, or -1
  std::vector<int> path_;        // groups, each entered from the next
  std::vector<double> reduced_;  // by arc
};

}  // namespace espalier::graph
