#include "espalier/plan/closed_tree.hpp"

#include <numeric>

#include "espalier/base/check.hpp"
#include "espalier/graph/elimination.hpp"

namespace espalier::plan {
namespace {

constexpr int kFloating = 6;

// By vertex, with the world's -1 in front: how many vertices stand on the way up.
class Depths {
 public:
  explicit Depths(const graph::Tree& tree) : depth_(tree.parent.size(), 0) {
    for (const int v : tree.order) depth_[v] = 1 + at(tree.parent[v]);
  }
  int at(int vertex) const { return vertex < 0 ? 0 : depth_[vertex]; }

 private:
  std::vector<int> depth_;
};

// Calls `visit(vertex)` for every joint of the loop, each named by the vertex below it.
template <class Visit>
void walk_loop(const ClosedTree& closed, const Depths& depth, const Closure& closure, const Visit& visit) {
  int a = closure.a;
  int b = closure.b;
  while (a != b) {
    int& lower = depth.at(a) >= depth.at(b) ? a : b;
    visit(lower);
    lower = closed.tree.parent[lower];
  }
}

// Every closure with the vertex before or after which it is eliminated; by vertex. Index `vertices`: it has no joint.
std::vector<std::vector<int>> place_closures(const ClosedTree& closed, const KktPattern& kkt, bool first) {
  const std::size_t vertices = closed.tree.parent.size();
  const Depths depth(closed.tree);
  std::vector<int> place(vertices);
  for (std::size_t k = 0; k < vertices; ++k) place[closed.tree.order[vertices - 1 - k]] = static_cast<int>(k);
  std::vector<std::vector<int>> closures(vertices + 1);
  for (std::size_t c = 0; c < closed.closures.size(); ++c) {
    std::size_t at = vertices;
    walk_loop(closed, depth, closed.closures[c], [&](int v) {
      if (at == vertices || (first ? place[v] < place[at] : place[v] > place[at])) at = static_cast<std::size_t>(v);
    });
    closures[at].push_back(kkt.first_closure + static_cast<int>(c));
  }
  return closures;
}

}  // namespace

ClosedTree close_tree(const Network& network, const graph::Tree& tree) {
  ESPALIER_CHECK(network.freedom.size() == network.graph.edges.size(),
                 "a tree is closed by joints, not by plain edges");
  ClosedTree closed;
  closed.tree = tree;
  closed.coordinates.resize(tree.parent.size());
  for (const int v : tree.order) {
    const int edge = tree.parent_edge[v];
    closed.coordinates[v] = edge >= 0 ? network.freedom[edge] : v == network.ground ? 0 : kFloating;
  }
  for (const int e : graph::chords(tree, network.graph.edges.size())) {
    const graph::Edge& edge = network.graph.edges[e];
    closed.closures.push_back({edge.a, edge.b, 6 - network.freedom[e]});
  }
  if (network.ground >= 0 && tree.parent[network.ground] >= 0)
    closed.closures.push_back({-1, network.ground, kFloating});
  return closed;
}

int count_equations(const ClosedTree& closed) {
  int result = std::accumulate(closed.coordinates.begin(), closed.coordinates.end(), 0);
  for (const Closure& closure : closed.closures) result += closure.equations;
  return result;
}

KktPattern make_kkt_pattern(const ClosedTree& closed) {
  const graph::Tree& tree = closed.tree;
  KktPattern kkt;
  kkt.block_of.assign(tree.parent.size(), -1);
  for (std::size_t v = 0; v < tree.parent.size(); ++v) {
    if (closed.coordinates[v] == 0) continue;
    kkt.block_of[v] = static_cast<int>(kkt.size.size());
    kkt.size.push_back(closed.coordinates[v]);
  }
  std::vector<graph::Edge>& pairs = kkt.pattern.edges;
  for (std::size_t v = 0; v < tree.parent.size(); ++v) {
    if (kkt.block_of[v] < 0) continue;
    for (int up = tree.parent[v]; up >= 0; up = tree.parent[up]) {
      if (kkt.block_of[up] >= 0) pairs.push_back({kkt.block_of[v], kkt.block_of[up]});
    }
  }
  kkt.first_closure = static_cast<int>(kkt.size.size());
  const Depths depth(tree);
  for (const Closure& closure : closed.closures) {
    const auto block = static_cast<int>(kkt.size.size());
    kkt.size.push_back(closure.equations);
    walk_loop(closed, depth, closure, [&](int v) {
      if (kkt.block_of[v] >= 0) pairs.push_back({block, kkt.block_of[v]});
    });
  }
  kkt.pattern.vertices = static_cast<int>(kkt.size.size());
  return kkt;
}

std::vector<int> elimination_order(const ClosedTree& closed, const KktPattern& kkt, EliminationOrder order) {
  if (order == EliminationOrder::kMinimumDegree) return graph::minimum_degree_order(kkt.pattern, kkt.size);
  const bool first = order == EliminationOrder::kEquationsFirst;
  const std::vector<std::vector<int>> closures = place_closures(closed, kkt, first);
  std::vector<int> blocks = closures.back();
  const auto append = [&](const std::vector<int>& more) { blocks.insert(blocks.end(), more.begin(), more.end()); };
  for (auto v = closed.tree.order.rbegin(); v != closed.tree.order.rend(); ++v) {
    if (first) append(closures[*v]);
    if (kkt.block_of[*v] >= 0) blocks.push_back(kkt.block_of[*v]);
    if (!first) append(closures[*v]);
  }
  return blocks;
}

}  // namespace espalier::plan
