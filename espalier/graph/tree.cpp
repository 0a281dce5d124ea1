#include "espalier/graph/graph.hpp"

#include <algorithm>
#include <numeric>
#include <queue>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"

namespace espalier::graph {
namespace {

Tree empty_tree(int vertices, int root) {
  const auto n = to_index(vertices);
  Tree tree{root, std::vector<int>(n, -1), std::vector<int>(n, -1), {}};
  tree.order.reserve(n);
  return tree;
}

// Distances from `source` along the tree, over its edges in both directions.
std::vector<double> distances_in_tree(const Tree& tree, std::span<const double> length, int source) {
  std::vector<double> distance(tree.parent.size(), -1);
  // Negative stands for "not yet known": lengths are not.
  distance[source] = 0;
  // Up to the root first; from there on every vertex that is not on that way comes after its parent.
  for (int v = source; tree.parent[v] >= 0; v = tree.parent[v]) {
    distance[tree.parent[v]] = distance[v] + length[tree.parent_edge[v]];
  }
  for (const int v : tree.order) {
    if (distance[v] < 0) distance[v] = distance[tree.parent[v]] + length[tree.parent_edge[v]];
  }
  return distance;
}

// The first of equals, which is the lowest vertex.
int farthest(const std::vector<double>& distance) {
  return static_cast<int>(std::max_element(distance.begin(), distance.end()) - distance.begin());
}

}  // namespace

Tree hang_tree(const Graph& graph, std::span<const int> edges, int root) {
  // Its own small graph: the edges keep their order, so that children follow in it, and numbers are put back after.
  Graph only{graph.vertices, {}};
  only.edges.reserve(edges.size());
  for (const int e : edges) only.edges.push_back(graph.edges[e]);
  Tree tree = breadth_first_tree(Adjacency(only), graph.vertices, root);
  for (int& e : tree.parent_edge) e = e < 0 ? e : edges[e];
  return tree;
}

Tree reroot(const Graph& graph, const Tree& tree, int root) { return hang_tree(graph, tree_edges(tree), root); }

std::vector<int> tree_edges(const Tree& tree) {
  std::vector<int> edges;
  edges.reserve(tree.parent_edge.size());
  std::copy_if(tree.parent_edge.begin(), tree.parent_edge.end(), std::back_inserter(edges),
               [](int e) { return e >= 0; });
  std::sort(edges.begin(), edges.end());
  return edges;
}

std::vector<int> chords(const Tree& tree, std::size_t edges) {
  std::vector<char> inside(edges, 0);
  for (const int e : tree.parent_edge) {
    if (e >= 0) inside[e] = 1;
  }
  std::vector<int> outside;
  for (std::size_t e = 0; e < edges; ++e) {
    if (!inside[e]) outside.push_back(static_cast<int>(e));
  }
  return outside;
}

Tree breadth_first_tree(const Adjacency& adjacency, int vertices, int root) {
  Tree tree = empty_tree(vertices, root);
  tree.order.push_back(root);
  // The order is the queue as well. A root has no parent, so that it is told by its number.
  for (std::size_t next = 0; next < tree.order.size(); ++next) {
    const int v = tree.order[next];
    for (const Adjacency::Step& step : adjacency.incident(v)) {
      if (step.to == root || tree.parent[step.to] >= 0) continue;
      tree.parent[step.to] = v;
      tree.parent_edge[step.to] = step.edge;
      tree.order.push_back(step.to);
    }
  }
  return tree;
}

Tree depth_first_tree(const Adjacency& adjacency, int vertices, int root) {
  Tree tree = empty_tree(vertices, root);
  tree.order.push_back(root);
  std::vector<std::size_t> next(to_index(vertices), 0);
  for (int v = root; v >= 0;) {
    const std::span<const Adjacency::Step> steps = adjacency.incident(v);
    // Without recursion: a chain of a million joints would be as deep.
    if (next[v] == steps.size()) {
      v = tree.parent[v];
      continue;
    }
    const Adjacency::Step& step = steps[next[v]++];
    if (step.to == root || tree.parent[step.to] >= 0) continue;
    tree.parent[step.to] = v;
    tree.parent_edge[step.to] = step.edge;
    tree.order.push_back(step.to);
    v = step.to;
  }
  return tree;
}

std::vector<int> kruskal(const Graph& graph, std::span<const double> weight, std::span<const char> first) {
  std::vector<int> by_weight(graph.edges.size());
  std::iota(by_weight.begin(), by_weight.end(), 0);
  // The order is total, so that the sort's own way with equals does not matter: one tree on every machine.
  const auto taken_first = [&](int e) { return !first.empty() && first[e] != 0; };
  std::sort(by_weight.begin(), by_weight.end(), [&](int a, int b) {
    if (taken_first(a) != taken_first(b)) return taken_first(a);
    return weight[a] != weight[b] ? weight[a] < weight[b] : a < b;
  });
  DisjointSets joined(to_index(graph.vertices));
  std::vector<int> edges;
  edges.reserve(to_index(graph.vertices));
  for (const int e : by_weight) {
    // An edge between vertices that are joined already would close a loop.
    if (joined.join(graph.edges[e].a, graph.edges[e].b)) edges.push_back(e);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

std::vector<int> prim(const Adjacency& adjacency, int vertices, std::span<const double> weight, int root) {
  struct Candidate {
    double weight;
    int edge;
    int to;
    // With std::greater the heap gives the lightest first, and the lowest edge of equals.
    bool operator>(const Candidate& other) const {
      return weight != other.weight ? weight > other.weight : edge > other.edge;
    }
  };
  // Entries whose far end has entered meanwhile are left in the heap and passed over.
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> border;
  std::vector<char> inside(to_index(vertices), 0);
  std::vector<int> edges;
  const auto enter = [&](int v) {
    inside[v] = 1;
    for (const Adjacency::Step& step : adjacency.incident(v)) {
      if (!inside[step.to]) border.push({weight[step.edge], step.edge, step.to});
    }
  };
  enter(root);
  while (!border.empty()) {
    const Candidate best = border.top();
    border.pop();
    if (inside[best.to]) continue;
    edges.push_back(best.edge);
    enter(best.to);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

std::vector<double> depths(const Tree& tree, std::span<const double> length) {
  std::vector<double> depth(tree.parent.size(), 0);
  for (const int v : tree.order) {
    if (tree.parent[v] >= 0) depth[v] = depth[tree.parent[v]] + length[tree.parent_edge[v]];
  }
  return depth;
}

std::vector<double> heights(const Tree& tree, std::span<const double> length) {
  std::vector<double> height(tree.parent.size(), 0);
  // Backwards all children come before their parent.
  for (auto v = tree.order.rbegin(); v != tree.order.rend(); ++v) {
    const int parent = tree.parent[*v];
    if (parent >= 0) height[parent] = std::max(height[parent], height[*v] + length[tree.parent_edge[*v]]);
  }
  return height;
}

Centres find_centres(const Tree& tree, std::span<const double> length) {
  // In a tree the farthest vertex from anywhere is one end of the longest path.
  const int one_end = farthest(depths(tree, length));
  const std::vector<double> from_one = distances_in_tree(tree, length, one_end);
  const std::vector<double> from_other = distances_in_tree(tree, length, farthest(from_one));
  std::vector<double> eccentricity(from_one.size());
  // Both ends of a longest path are known now, and the farther of the two is the farthest of all.
  std::transform(from_one.begin(), from_one.end(), from_other.begin(), eccentricity.begin(),
                 [](double a, double b) { return std::max(a, b); });
  Centres centres;
  centres.radius = *std::min_element(eccentricity.begin(), eccentricity.end());
  for (std::size_t v = 0; v < eccentricity.size(); ++v) {
    // Two centres of one tree differ by the rounding of their sums.
    if (eccentricity[v] <= centres.radius * (1 + 1e-12)) centres.vertices.push_back(static_cast<int>(v));
  }
  return centres;
}

}  // namespace espalier::graph
