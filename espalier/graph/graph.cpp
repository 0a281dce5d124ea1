#include "espalier/graph/graph.hpp"

#include <algorithm>

namespace espalier::graph {

Adjacency::Adjacency(const Graph& graph) : first_(static_cast<std::size_t>(graph.vertices) + 1, 0) {
  for (const Edge& edge : graph.edges) {
    ++first_[edge.a + 1];
    if (edge.a != edge.b) ++first_[edge.b + 1];
  }
  for (int v = 0; v < graph.vertices; ++v) first_[v + 1] += first_[v];
  steps_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (int e = 0; e < static_cast<int>(graph.edges.size()); ++e) {
    const Edge& edge = graph.edges[e];
    steps_[next[edge.a]++] = {e, edge.b};
    if (edge.a != edge.b) steps_[next[edge.b]++] = {e, edge.a};
  }
}

std::span<const Adjacency::Step> Adjacency::incident(int vertex) const {
  return {steps_.data() + first_[vertex], first_[vertex + 1] - first_[vertex]};
}

Forest breadth_first_forest(const Graph& graph) {
  const Adjacency adjacency(graph);
  const auto n = static_cast<std::size_t>(graph.vertices);
  Forest forest;
  forest.order.reserve(n);
  forest.parent.assign(n, -1);
  forest.parent_edge.assign(n, -1);
  forest.depth.assign(n, 0);
  forest.component.assign(n, -1);
  std::vector<bool> in_tree(graph.edges.size(), false);
  for (int root = 0; root < graph.vertices; ++root) {
    if (forest.component[root] >= 0) continue;
    forest.component[root] = forest.components;
    std::size_t next = forest.order.size();
    forest.order.push_back(root);
    for (; next < forest.order.size(); ++next) {
      const int v = forest.order[next];
      for (const Adjacency::Step& step : adjacency.incident(v)) {
        if (forest.component[step.to] >= 0) continue;
        forest.component[step.to] = forest.components;
        forest.parent[step.to] = v;
        forest.parent_edge[step.to] = step.edge;
        forest.depth[step.to] = forest.depth[v] + 1;
        in_tree[step.edge] = true;
        forest.order.push_back(step.to);
      }
    }
    ++forest.components;
  }
  for (int e = 0; e < static_cast<int>(graph.edges.size()); ++e) {
    if (!in_tree[e]) forest.chords.push_back(e);
  }
  return forest;
}

std::vector<int> fundamental_loop(const Graph& graph, const Forest& forest, int chord) {
  std::vector<int> loop = {chord};
  std::vector<int> far_side;
  int a = graph.edges[chord].a;
  int b = graph.edges[chord].b;
  // Climb from the deeper end until both meet. The loop runs chord, then from b up, then down to a.
  while (a != b) {
    if (forest.depth[b] >= forest.depth[a]) {
      loop.push_back(forest.parent_edge[b]);
      b = forest.parent[b];
    } else {
      far_side.push_back(forest.parent_edge[a]);
      a = forest.parent[a];
    }
  }
  loop.insert(loop.end(), far_side.rbegin(), far_side.rend());
  return loop;
}

}  // namespace espalier::graph
