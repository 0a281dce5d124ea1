#include "espalier/plan/detail/regrow.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace espalier::plan::detail {

Regrow::Regrow(const Problem& problem)
    : problem_(problem),
      first_(static_cast<std::size_t>(problem.graph.vertices) + 1, 0),
      nodes_(static_cast<std::size_t>(problem.graph.vertices)) {
  const std::vector<graph::Edge>& edges = problem.graph.edges;
  for (const graph::Edge& edge : edges) {
    ++first_[edge.a + 1];
    ++first_[edge.b + 1];
  }
  for (std::size_t v = 0; v < nodes_.size(); ++v) first_[v + 1] += first_[v];
  steps_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
    steps_[next[edges[e].a]++] = {problem.weight[e], problem.length[e], e, edges[e].b};
    steps_[next[edges[e].b]++] = {problem.weight[e], problem.length[e], e, edges[e].a};
  }
}

// Pinned stems come first of all: nothing is ever offered instead of them.
double Regrow::key(int edge, double depth) const {
  if (problem_.is_pinned(edge)) return -std::numeric_limits<double>::infinity();
  return problem_.weight[edge] + options_.slope * depth;
}

void Regrow::load(const graph::Tree& tree) {
  for (std::size_t v = 0; v < nodes_.size(); ++v) {
    const int edge = tree.parent_edge[v];
    nodes_[v] = {-1, 0, 0, edge < 0 ? 0 : problem_.length[edge], tree.parent[v], edge, -1};
  }
  for (auto v = tree.order.rbegin(); v != tree.order.rend(); ++v) {
    const Node& node = nodes_[*v];
    if (node.parent < 0) continue;
    Node& parent = nodes_[node.parent];
    const double height = node.height + node.stem;
    if (height > parent.height || parent.via < 0) {
      parent.second = parent.height;
      parent.height = height;
      parent.via = *v;
    } else {
      parent.second = std::max(parent.second, height);
    }
  }
}

Measure Regrow::pass(graph::Tree& tree, double cap, const Options& options) {
  const auto later = [](const Entry& a, const Entry& b) {
    if (a.key != b.key) return a.key > b.key;
    return a.depth != b.depth ? a.depth > b.depth : a.vertex > b.vertex;
  };
  options_ = options;
  load(tree);
  cap_ = std::max(cap, nodes_[tree.root].height);
  order_.clear();
  heap_.clear();
  nodes_[tree.root].depth = 0;
  enter(tree.root);
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Entry entry = heap_.back();
    heap_.pop_back();
    Node& node = nodes_[entry.vertex];
    // Entered meanwhile, or hung on another stem.
    if (node.depth >= 0 || node.parent_edge != entry.edge) continue;
    node.depth = entry.depth;
    enter(entry.vertex);
  }
  return store(tree);
}

Measure Regrow::store(graph::Tree& tree) const {
  Measure measure;
  for (std::size_t v = 0; v < nodes_.size(); ++v) {
    const Node& node = nodes_[v];
    tree.parent[v] = node.parent;
    tree.parent_edge[v] = node.parent_edge;
    measure.length = std::max(measure.length, node.depth);
    if (node.parent_edge >= 0) measure.weight += problem_.weight[node.parent_edge];
  }
  tree.order = order_;
  return measure;
}

void Regrow::push_stem(int vertex) {
  const auto later = [](const Entry& a, const Entry& b) {
    if (a.key != b.key) return a.key > b.key;
    return a.depth != b.depth ? a.depth > b.depth : a.vertex > b.vertex;
  };
  const Node& node = nodes_[vertex];
  const double depth = nodes_[node.parent].depth + node.stem;
  heap_.push_back({key(node.parent_edge, depth), depth, vertex, node.parent_edge});
  std::push_heap(heap_.begin(), heap_.end(), later);
}

void Regrow::enter(int vertex) {
  order_.push_back(vertex);
  for (std::size_t k = first_[vertex]; k < first_[vertex + 1]; ++k) {
    const Step& step = steps_[k];
    const Node& to = nodes_[step.to];
    if (to.depth >= 0) continue;
    if (to.parent_edge == step.edge) {
      push_stem(step.to);
    } else {
      offer(vertex, step);
    }
  }
}

void Regrow::offer(int from, const Step& step) {
  const double depth = nodes_[from].depth + step.length;
  const double room = cap_ - depth;
  double reach = nodes_[step.to].height;
  double climbed = 0;
  int top = step.to;
  for (int hops = 0;; ++hops) {
    const Node& node = nodes_[top];
    if (reach > room || hops > options_.most_climb) return;
    const Node& parent = nodes_[node.parent];
    if (parent.depth >= 0) break;
    climbed += node.stem;
    reach = std::max(reach, climbed + (parent.via == top ? parent.second : parent.height));
    top = node.parent;
  }
  const Node& node = nodes_[top];
  if (problem_.is_pinned(node.parent_edge)) return;
  const double old_depth = nodes_[node.parent].depth + node.stem;
  const double old_key = key(node.parent_edge, old_depth);
  const double new_key = key(step.edge, depth);
  // An edge of the same weight is welcome where the branch rises.
  if (new_key > old_key || (new_key == old_key && depth + reach >= old_depth + node.height)) return;
  turn_over(step.to, top);
  Node& end = nodes_[step.to];
  end.parent = from;
  end.parent_edge = step.edge;
  end.stem = step.length;
  push_stem(step.to);
}

// Reverses the way from `vertex` up to `top`. Heights off the way stay as they are.
void Regrow::turn_over(int vertex, int top) {
  way_.clear();
  for (int v = vertex; v != top; v = nodes_[v].parent) way_.push_back(v);
  way_.push_back(top);
  for (std::size_t k = way_.size(); k-- > 0;) {
    Node& node = nodes_[way_[k]];
    // It loses its child on the way. What is left below its second child is not known, so `second` stays.
    if (k > 0 && node.via == way_[k - 1]) {
      node.height = node.second;
      node.via = -1;
    }
    // And its parent becomes its child.
    if (k + 1 == way_.size()) continue;
    const double height = nodes_[way_[k + 1]].height + node.stem;
    if (height > node.height) {
      node.second = node.height;
      node.height = height;
      node.via = way_[k + 1];
    } else {
      node.second = std::max(node.second, height);
    }
  }
  for (std::size_t k = way_.size() - 1; k > 0; --k) {
    const Node& lower = nodes_[way_[k - 1]];
    Node& upper = nodes_[way_[k]];
    upper.parent = way_[k - 1];
    upper.parent_edge = lower.parent_edge;
    upper.stem = lower.stem;
  }
}

double Regrow::recentre(graph::Tree& tree) {
  load(tree);
  int centre = tree.root;
  double above = 0;  // longest way from the centre that does not go down
  while (nodes_[centre].via >= 0) {
    const Node& node = nodes_[centre];
    const Node& child = nodes_[node.via];
    const double next = std::max(above, node.second) + child.stem;
    if (std::max(next, child.height) >= std::max(above, node.height)) break;
    above = next;
    centre = node.via;
  }
  const double length = std::max(above, nodes_[centre].height);
  if (centre != tree.root) hang_on(tree, centre);
  return length;
}

// The way to the old root comes first, everything else stays in its order.
void Regrow::hang_on(graph::Tree& tree, int root) {
  order_.clear();
  int child = -1;
  int child_edge = -1;
  for (int v = root; v >= 0;) {
    order_.push_back(v);
    nodes_[v].depth = 0;
    const int parent = std::exchange(tree.parent[v], child);
    child_edge = std::exchange(tree.parent_edge[v], child_edge);
    child = v;
    v = parent;
  }
  for (const int v : tree.order) {
    if (nodes_[v].depth < 0) order_.push_back(v);
  }
  tree.order = order_;
  tree.root = root;
}

}  // namespace espalier::plan::detail
