#pragma once

// Trees that grow from a root by one edge after the other.
//
// grow() is Prim's and Dijkstra's method in one: the vertex outside with the smallest weight + slope * depth comes
// next. Slope 0 gives the lightest tree, a steep slope shortest paths, and what lies between is a good compromise of
// both. [Alpert95]
//
// regrow() makes a tree lighter without letting its critical branch pass a cap: Prim's method with a tree to fall back
// on. What is still outside hangs in whole branches of the old tree, each by one edge, its stem. The branch with the
// lightest stem is next to lose its topmost vertex to the new tree. Each vertex that enters offers its edges to the
// branches: where an edge is lighter than one between its end and the new tree, the heaviest of those is cut and the
// part below it, turned over, hung on the offered edge, if it stays above the cap there. So no step makes the tree
// heavier or too deep. Without a cap the result is the lightest tree, but for ways longer than kMostClimb; with one,
// each pass is a descent over edge exchanges whose depths are exact and whose heights are exact or too large.

#include <cstddef>
#include <span>
#include <vector>

#include "espalier/plan/detail/problem.hpp"

namespace espalier::plan::detail {

class Grower {
 public:
  explicit Grower(const Problem& problem);

  // By `weight`, by edge, or by the problem's own where that is empty: zeros give shortest paths. Pinned edges come
  // before all others. Writes the tree to `tree` and returns its true measure. O(E log V).
  Measure grow(graph::Tree& tree, int root, std::span<const double> weight, double slope);

  // Improves the tree in place and measures it. A critical branch longer than `cap` does not become longer than it is.
  // O(E (log V + kMostClimb)), in practice O(E log V).
  Measure regrow(graph::Tree& tree, double cap);

  // Hangs the tree on a centre. Returns the length of its critical branch. O(V).
  double recentre(graph::Tree& tree);

 private:
  struct Step {
    double weight;
    double length;
    int edge;
    int to;
  };
  struct Node {
    double depth;   // negative: outside
    double height;  // longest way down
    double second;  // longest way down but through `via`
    double stem;    // length of the parent edge
    double weight;  // of the parent edge
    int parent;
    int parent_edge;
    int via;  // the child that gives `height`; -1: unknown
  };
  struct Entry {
    double key;
    double depth;
    int vertex;
    int edge;
  };

  static bool is_later(const Entry& a, const Entry& b);
  void push(const Entry& entry);
  Entry pop();
  Measure store(graph::Tree& tree, int root) const;
  void load(const graph::Tree& tree);
  void enter(int vertex);
  void offer(int from, const Step& step);
  void turn_over(int vertex, int top);
  void push_stem(int vertex);
  double key(int edge, double weight) const;
  void hang_on(graph::Tree& tree, int root);

  const Problem& problem_;
  std::vector<std::size_t> first_;
  std::vector<Step> steps_;
  std::vector<Node> nodes_;
  std::vector<Entry> heap_;
  std::vector<int> order_;
  std::vector<int> way_;
  double cap_ = 0;
};

}  // namespace espalier::plan::detail
