#pragma once

// Makes a tree shallow at little weight: the tree is walked through depth first, and wherever it reaches below a cap,
// the way of a guide tree (a shortest-path tree from the same root) to that place is laid in. What comes after it, and
// what comes before it on the way back, uses the new way. After [Khuller95], with a cap instead of a stretch.

#include <cstddef>
#include <span>
#include <vector>

#include "espalier/plan/problem.hpp"

namespace espalier::plan::detail {

class Lift {
 public:
  explicit Lift(const Problem& problem);

  // `depth` of the guide's vertices, by length; none below `cap`. Then no vertex of the result is. Pinned edges may be
  // lost. O(V).
  void run(graph::Tree& tree, const graph::Tree& guide, std::span<const double> depth, double cap);

 private:
  void list_children(const graph::Tree& tree);
  void relax(graph::Tree& result, int from, int to, int edge);
  void lay_way(graph::Tree& result, const graph::Tree& guide, std::span<const double> depth, int vertex);
  void sort_parents_first(graph::Tree& result);

  const Problem& problem_;
  std::vector<std::size_t> first_;
  std::vector<std::size_t> next_;
  std::vector<int> children_;
  std::vector<double> distance_;  // not smaller than the true depth
  std::vector<int> way_;
  graph::Tree result_;
};

}  // namespace espalier::plan::detail
