#include "espalier/graph/graph.hpp"

#include "espalier/base/index.hpp"

namespace espalier::graph {

Adjacency::Adjacency(const Graph& graph) : first_(to_index(graph.vertices) + 1, 0) {
  // Counted, summed, filled: two passes and one block of memory instead of a list for each vertex.
  for (const Edge& edge : graph.edges) {
    ++first_[edge.a + 1];
    // A self loop is seen once from its vertex.
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

// Parents come first in the order, so that their level is known.
std::vector<int> levels(const Tree& tree) {
  std::vector<int> level(tree.parent.size(), 0);
  for (const int v : tree.order) {
    if (tree.parent[v] >= 0) level[v] = level[tree.parent[v]] + 1;
  }
  return level;
}

Forest breadth_first_forest(const Graph& graph) {
  const Adjacency adjacency(graph);
  const std::size_t n = to_index(graph.vertices);
  Forest forest;
  Tree& tree = forest.tree;
  tree.root = n > 0 ? 0 : -1;
  tree.order.reserve(n);
  tree.parent.assign(n, -1);
  tree.parent_edge.assign(n, -1);
  forest.component.assign(n, -1);
  std::vector<bool> in_tree(graph.edges.size(), false);
  // The lowest vertex that no tree has reached roots the next one: this numbers components by their lowest vertex.
  for (int root = 0; root < graph.vertices; ++root) {
    if (forest.component[root] >= 0) continue;
    forest.component[root] = forest.components;
    // The order is the queue as well: what lies behind `next` has been reached but not left yet.
    std::size_t next = tree.order.size();
    tree.order.push_back(root);
    for (; next < tree.order.size(); ++next) {
      const int v = tree.order[next];
      for (const Adjacency::Step& step : adjacency.incident(v)) {
        if (forest.component[step.to] >= 0) continue;
        forest.component[step.to] = forest.components;
        tree.parent[step.to] = v;
        tree.parent_edge[step.to] = step.edge;
        in_tree[step.edge] = true;
        tree.order.push_back(step.to);
      }
    }
    ++forest.components;
  }
  forest.level = levels(tree);
  for (int e = 0; e < static_cast<int>(graph.edges.size()); ++e) {
    // Each closes one loop that no other chord is in: together they are a basis of all loops.
    if (!in_tree[e]) forest.chords.push_back(e);
  }
  return forest;
}

std::vector<int> fundamental_loop(const Graph& graph, const Tree& tree, std::span<const int> level, int chord) {
  std::vector<int> loop = {chord};
  std::vector<int> far_side;
  int a = graph.edges[chord].a;
  int b = graph.edges[chord].b;
  // Climb from the deeper end until both meet. The loop runs chord, then from b up, then down to a.
  while (a != b) {
    if (level[b] >= level[a]) {
      loop.push_back(tree.parent_edge[b]);
      b = tree.parent[b];
    } else {
      far_side.push_back(tree.parent_edge[a]);
      a = tree.parent[a];
    }
  }
  loop.insert(loop.end(), far_side.rbegin(), far_side.rend());
  return loop;
}

}  // namespace espalier::graph
