#include "espalier/plan/detail/scbst.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "espalier/base/index.hpp"
#include "espalier/graph/paths.hpp"

namespace espalier::plan::detail {
namespace {

// How far two sums of the same lengths may stand apart, relative to the larger.
constexpr double kRounding = 1e-12;

// The pinned edges first, then the tree's own from its root outwards, as far as they close no loop.
// Kruskal's method by place in the tree: an edge nearer to the root gives way last.
graph::Tree hold_pinned(const Problem& problem, const graph::Tree& tree) {
  if (problem.pinned.empty()) return tree;
  std::vector<double> place(problem.graph.edges.size(), std::numeric_limits<double>::infinity());
  for (std::size_t k = 1; k < tree.order.size(); ++k) place[tree.parent_edge[tree.order[k]]] = static_cast<double>(k);
  return graph::hang_tree(problem.graph, graph::kruskal(problem.graph, place, problem.pinned), tree.root);
}

// Where several ways are the shortest, the parent of the lowest number is taken.
graph::Tree grow_tree(const Problem& problem, graph::ShortestPaths& paths, int source) {
  // The order of the run stays parents first: lengths are positive, so that a parent is nearer than its child.
  paths.run(source);
  graph::Tree tree = paths.tree();
  const std::span<const double> distance = paths.distance();
  const auto offer = [&](int edge, int from, int to) {
    if (to == source || distance[from] + problem.length[edge] != distance[to]) return;
    if (from > tree.parent[to] || (from == tree.parent[to] && edge >= tree.parent_edge[to])) return;
    tree.parent[to] = from;
    tree.parent_edge[to] = edge;
  };
  for (int e = 0; e < static_cast<int>(problem.graph.edges.size()); ++e) {
    const graph::Edge& edge = problem.graph.edges[e];
    offer(e, edge.a, edge.b);
    offer(e, edge.b, edge.a);
  }
  return hold_pinned(problem, tree);
}

// After a run from u: no vertex v has its farthest one nearer than d(u, v), nor nearer than ecc(u) - d(u, v).
void raise_bounds(const graph::ShortestPaths& paths, std::vector<double>& at_least) {
  const double eccentricity = paths.eccentricity();
  for (std::size_t v = 0; v < at_least.size(); ++v) {
    const double distance = paths.distance()[v];
    // (P11)
    at_least[v] = std::max({at_least[v], distance, eccentricity - distance});
  }
}

}  // namespace

graph::Tree shortest_critical_branch_tree(const Problem& problem) {
  graph::ShortestPaths paths(problem.graph);
  paths.set_length(problem.length);
  if (problem.root >= 0) return grow_tree(problem, paths, problem.root);

  constexpr double kDone = std::numeric_limits<double>::infinity();
  std::vector<double> at_least(to_index(problem.graph.vertices), 0);  // eccentricity, by vertex
  graph::Tree best;
  double best_radius = std::numeric_limits<double>::infinity();
  while (true) {
    // The lowest bound is next: its vertex may be a centre, and others are bounded by what its run shows.
    const auto bound = std::min_element(at_least.begin(), at_least.end());
    if (*bound > best_radius * (1 + kRounding)) break;
    const int v = static_cast<int>(bound - at_least.begin());
    // A vertex that can only be as good is of use if its number is lower than the best one's: ties go to the lower
    // number.
    // (Radii that are equal may differ in their last digits: they add the same lengths up in different orders.)
    const bool only_as_good = *bound >= best_radius * (1 - kRounding);
    if (!only_as_good || v < best.root) {
      graph::Tree tree = grow_tree(problem, paths, v);
      const double radius = measure(problem, tree).length;
      if (radius < best_radius * (1 - kRounding) || (radius <= best_radius * (1 + kRounding) && v < best.root)) {
        best = std::move(tree);
        best_radius = radius;
      }
      raise_bounds(paths, at_least);
    }
    // Infinite: it is never the lowest again, and the loop ends when all are.
    *bound = kDone;
  }
  return problem.pinned.empty() ? best : hang_best(problem, graph::tree_edges(best));
}

}  // namespace espalier::plan::detail
