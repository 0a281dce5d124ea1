#include "espalier/plan/detail/problem.hpp"

#include <algorithm>
#include <cmath>

namespace espalier::plan::detail {

Measure measure(const Problem& problem, const graph::Tree& tree) {
  const std::vector<double> depth = graph::depths(tree, problem.length);
  Measure result;
  result.length = *std::max_element(depth.begin(), depth.end());
  // In edge order: the same tree weighs the same, bit for bit, whatever its root.
  for (const int e : graph::tree_edges(tree)) result.weight += problem.weight[e];
  return result;
}

double cost(const Goal& goal, const Measure& measure) {
  return goal.length_factor * measure.length + goal.weight_factor * measure.weight;
}

bool is_allowed(const Goal& goal, const Measure& measure) {
  // Infinite limits are kept by everything: infinity times kSameCost is infinity.
  const auto within = [](double value, double most) { return value <= most + kSameCost * std::abs(most); };
  return within(measure.length, goal.most_length) && within(measure.weight, goal.most_weight);
}

graph::Tree hang_best(const Problem& problem, std::span<const int> edges) {
  // Any vertex does as a root while the centre is looked for.
  graph::Tree tree = graph::hang_tree(problem.graph, edges, std::max(problem.root, 0));
  if (problem.root >= 0) return tree;
  return graph::reroot(problem.graph, tree, graph::find_centres(tree, problem.length).vertices.front());
}

}  // namespace espalier::plan::detail
