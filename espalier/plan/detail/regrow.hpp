#pragma once

// Makes a tree lighter without letting its critical branch pass a cap: Prim's method with a tree to fall back on.
//
// The new tree grows from the root. What is still outside hangs in whole branches of the old tree, each by one edge,
// its stem. The branch with the lightest stem is next to lose its topmost vertex to the new tree. Each vertex that
// enters offers its edges to the branches: where the edge is lighter than the stem and the branch, turned over to hang
// on the edge's end, stays above the cap, the edge becomes the stem. So no step makes the tree heavier or too deep;
// without a cap the result is the lightest tree, and with one each pass is a descent over edge exchanges whose
// depths are exact and whose heights are exact or too large.

#include <cstddef>
#include <vector>

#include "espalier/plan/problem.hpp"

namespace espalier::plan::detail {

class Regrow {
 public:
  explicit Regrow(const Problem& problem);

  // `slope` > 0 weighs the depth of an edge's end as well: w + slope * depth decides then instead of w, and the tree
  // may become heavier. `most_climb` bounds the edges between an offered edge's end and the stem. O(E (log V +
  // most_climb)), in practice O(E log V).
  struct Options {
    double slope = 0;
    int most_climb = 100;
  };
  // Improves the tree in place and measures it. A critical branch longer than `cap` does not become longer than it is.
  Measure pass(graph::Tree& tree, double cap, const Options& options);

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

  void load(const graph::Tree& tree);
  Measure store(graph::Tree& tree) const;
  void enter(int vertex);
  void offer(int from, const Step& step);
  void turn_over(int vertex, int top);
  void push_stem(int vertex);
  double key(int edge, double depth) const;
  void hang_on(graph::Tree& tree, int root);

  const Problem& problem_;
  std::vector<std::size_t> first_;
  std::vector<Step> steps_;
  std::vector<Node> nodes_;
  std::vector<Entry> heap_;
  std::vector<int> order_;
  std::vector<int> way_;
  Options options_;
  double cap_ = 0;
};

}  // namespace espalier::plan::detail
