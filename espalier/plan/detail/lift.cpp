#include "espalier/plan/detail/lift.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace espalier::plan::detail {

Lift::Lift(const Problem& problem)
    : problem_(problem),
      first_(static_cast<std::size_t>(problem.graph.vertices) + 1),
      next_(first_.size()),
      children_(first_.size() - 1),
      distance_(first_.size() - 1) {}

void Lift::list_children(const graph::Tree& tree) {
  std::fill(first_.begin(), first_.end(), 0);
  for (const int parent : tree.parent) {
    if (parent >= 0) ++first_[parent + 1];
  }
  for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
  next_ = first_;
  for (int v = 0; v < static_cast<int>(tree.parent.size()); ++v) {
    if (tree.parent[v] >= 0) children_[next_[tree.parent[v]]++] = v;
  }
  next_ = first_;
}

void Lift::relax(graph::Tree& result, int from, int to, int edge) {
  const double distance = distance_[from] + problem_.length[edge];
  if (distance >= distance_[to]) return;
  distance_[to] = distance;
  result.parent[to] = from;
  result.parent_edge[to] = edge;
}

// Only the part of the way that does not lie yet: each vertex gets the guide's depth once, so all ways together cost
// O(V).
void Lift::lay_way(graph::Tree& result, const graph::Tree& guide, std::span<const double> depth, int vertex) {
  way_.clear();
  for (int v = vertex; distance_[v] > depth[v]; v = guide.parent[v]) way_.push_back(v);
  for (auto v = way_.rbegin(); v != way_.rend(); ++v) relax(result, guide.parent[*v], *v, guide.parent_edge[*v]);
}

// Takes the leaves away again and again; the reverse is the order asked for.
void Lift::sort_parents_first(graph::Tree& result) {
  std::vector<std::size_t>& children = next_;
  std::fill(children.begin(), children.end(), 0);
  for (const int parent : result.parent) {
    if (parent >= 0) ++children[parent];
  }
  result.order.clear();
  for (int v = 0; v < static_cast<int>(result.parent.size()); ++v) {
    if (children[v] == 0) result.order.push_back(v);
  }
  for (std::size_t k = 0; k < result.order.size(); ++k) {
    const int parent = result.parent[result.order[k]];
    if (parent >= 0 && --children[parent] == 0) result.order.push_back(parent);
  }
  std::reverse(result.order.begin(), result.order.end());
}

void Lift::run(graph::Tree& tree, const graph::Tree& guide, std::span<const double> depth, double cap) {
  list_children(tree);
  std::fill(distance_.begin(), distance_.end(), std::numeric_limits<double>::infinity());
  distance_[tree.root] = 0;
  result_.root = tree.root;
  result_.parent.assign(tree.parent.size(), -1);
  result_.parent_edge.assign(tree.parent.size(), -1);
  for (int v = tree.root; v >= 0;) {
    const int parent = tree.parent[v];
    if (next_[v] < first_[v + 1]) {
      const int child = children_[next_[v]++];
      relax(result_, v, child, tree.parent_edge[child]);
      if (distance_[child] > cap) lay_way(result_, guide, depth, child);
      v = child;
    } else {
      if (parent >= 0) relax(result_, v, parent, tree.parent_edge[v]);
      v = parent;
    }
  }
  sort_parents_first(result_);
  std::swap(tree, result_);
}

}  // namespace espalier::plan::detail
