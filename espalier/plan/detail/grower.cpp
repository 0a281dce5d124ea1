#include "espalier/plan/detail/grower.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "espalier/base/index.hpp"

namespace espalier::plan::detail {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Edges looked at from the end of an offered edge up, to be replaced by it.
constexpr int kMostClimb = 100;

}  // namespace

Grower::Grower(const Problem& problem)
    : problem_(problem),
      first_(to_index(problem.graph.vertices) + 1, 0),
      nodes_(to_index(problem.graph.vertices)) {
  const std::vector<graph::Edge>& edges = problem.graph.edges;
  for (const graph::Edge& edge : edges) {
    ++first_[edge.a + 1];
    ++first_[edge.b + 1];
  }
  for (std::size_t v = 0; v < nodes_.size(); ++v) first_[v + 1] += first_[v];
  // Weight and length lie beside the neighbour: growing reads one list instead of four.
  steps_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
    steps_[next[edges[e].a]++] = {problem.weight[e], problem.length[e], e, edges[e].b};
    steps_[next[edges[e].b]++] = {problem.weight[e], problem.length[e], e, edges[e].a};
  }
}

bool Grower::is_later(const Entry& a, const Entry& b) {
  // Of equal keys the nearer one, then the lower number: no tie is left to the heap.
  if (a.key != b.key) return a.key > b.key;
  return a.depth != b.depth ? a.depth > b.depth : a.vertex > b.vertex;
}

void Grower::push(const Entry& entry) {
  heap_.push_back(entry);
  std::push_heap(heap_.begin(), heap_.end(), is_later);
}

Grower::Entry Grower::pop() {
  std::pop_heap(heap_.begin(), heap_.end(), is_later);
  const Entry entry = heap_.back();
  heap_.pop_back();
  return entry;
}

// Pinned edges come first of all, and nothing is ever offered instead of them.
double Grower::key(int edge, double weight) const { return problem_.is_pinned(edge) ? -kInfinite : weight; }

// The heap may hold a vertex several times; the first entry that comes out is the best, the others are passed over.
Measure Grower::grow(graph::Tree& tree, int root, std::span<const double> weight, double slope) {
  for (Node& node : nodes_) node = {-1, kInfinite, 0, 0, 0, -1, -1, -1};
  order_.clear();
  heap_.assign(1, {0, 0, root, -1});
  while (!heap_.empty()) {
    const Entry entry = pop();
    Node& node = nodes_[entry.vertex];
    if (node.depth >= 0) continue;
    node.depth = entry.depth;
    order_.push_back(entry.vertex);
    for (std::size_t k = first_[entry.vertex]; k < first_[entry.vertex + 1]; ++k) {
      const Step& step = steps_[k];
      Node& to = nodes_[step.to];
      if (to.depth >= 0) continue;
      const double depth = entry.depth + step.length;
      const double own = weight.empty() ? step.weight : weight[step.edge];
      const double offered = key(step.edge, own + slope * depth);
      // Until it enters, a vertex keeps its best key as its height.
      if (offered >= to.height) continue;
      to.height = offered;
      to.parent = entry.vertex;
      to.parent_edge = step.edge;
      push({offered, depth, step.to, step.edge});
    }
  }
  return store(tree, root);
}

void Grower::load(const graph::Tree& tree) {
  for (std::size_t v = 0; v < nodes_.size(); ++v) {
    const int edge = tree.parent_edge[v];
    nodes_[v] = {-1,   0, 0, edge < 0 ? 0 : problem_.length[edge], edge < 0 ? 0 : problem_.weight[edge], tree.parent[v],
                 edge, -1};
  }
  // From the tips, so that a vertex is complete before its parent looks at it.
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

// 1. Everything but the root is outside, hanging as it did.
// 2. The branch with the lightest stem loses its topmost vertex to the new tree,
// 3. which offers its edges to the branches around it.
Measure Grower::regrow(graph::Tree& tree, double cap) {
  load(tree);
  // A tree that is too deep already must not become deeper, and may stay as it is.
  cap_ = std::max(cap, nodes_[tree.root].height);
  order_.clear();
  heap_.clear();
  nodes_[tree.root].depth = 0;
  enter(tree.root);
  while (!heap_.empty()) {
    const Entry entry = pop();
    Node& node = nodes_[entry.vertex];
    // Entered meanwhile, or hung on another stem.
    if (node.depth >= 0 || node.parent_edge != entry.edge) continue;
    node.depth = entry.depth;
    enter(entry.vertex);
  }
  return store(tree, tree.root);
}

Measure Grower::store(graph::Tree& tree, int root) const {
  Measure measure;
  tree.root = root;
  tree.parent.resize(nodes_.size());
  tree.parent_edge.resize(nodes_.size());
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

void Grower::push_stem(int vertex) {
  const Node& node = nodes_[vertex];
  const double depth = nodes_[node.parent].depth + node.stem;
  push({key(node.parent_edge, node.weight), depth, vertex, node.parent_edge});
}

void Grower::enter(int vertex) {
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

void Grower::offer(int from, const Step& step) {
  const double depth = nodes_[from].depth + step.length;
  const double room = cap_ - depth;
  // Climbs from the far end towards the new tree. `reach` is the height of the branch if it is turned over and hung
  // on the offered edge here; beyond the cap the climb ends.
  double reach = nodes_[step.to].height;
  double climbed = 0;
  double heaviest = step.weight;
  int cut = -1;
  for (int hops = 0, v = step.to; reach <= room && hops < kMostClimb; ++hops) {
    const Node& node = nodes_[v];
    const Node& parent = nodes_[node.parent];
    const bool is_stem = parent.depth >= 0;
    // An edge of the same weight is welcome instead of the stem where the branch rises.
    const bool rises = is_stem && cut < 0 && depth + reach < parent.depth + node.stem + node.height;
    if ((node.weight > heaviest || (node.weight == heaviest && rises)) && !problem_.is_pinned(node.parent_edge)) {
      heaviest = node.weight;
      cut = v;
    }
    // Above the stem is the new tree, which loses nothing any more.
    if (is_stem) break;
    climbed += node.stem;
    // Turned over, everything that hangs beside the way hangs below the far end.
    reach = std::max(reach, climbed + (parent.via == v ? parent.second : parent.height));
    v = node.parent;
  }
  if (cut < 0) return;
  turn_over(step.to, cut);
  Node& end = nodes_[step.to];
  end.parent = from;
  end.parent_edge = step.edge;
  end.stem = step.length;
  end.weight = step.weight;
  push_stem(step.to);
}

// Reverses the way from `vertex` up to `top`. Heights off the way stay as they are.
void Grower::turn_over(int vertex, int top) {
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
    upper.weight = lower.weight;
  }
}

double Grower::recentre(graph::Tree& tree) {
  load(tree);
  // The centre lies on the longest way down: walk along it as long as that makes the farther side nearer.
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
void Grower::hang_on(graph::Tree& tree, int root) {
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
