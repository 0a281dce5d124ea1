#include "espalier/plan/arrays.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "espalier/base/index.hpp"

namespace espalier::plan {
namespace {

// Two sums of the same lengths may stand apart by this, relative to the radius.
constexpr double kRounding = 1e-12;

// Increasing within a level, since vertices are taken in their order.
std::vector<std::vector<int>> make_levels(const std::vector<int>& depth) {
  std::vector<std::vector<int>> levels;
  for (std::size_t v = 0; v < depth.size(); ++v) {
    const auto level = to_index(depth[v]);
    if (levels.size() <= level) levels.resize(level + 1);
    levels[level].push_back(static_cast<int>(v) + 1);
  }
  return levels;
}

// The vertices from the root of v down to v, from 1.
std::vector<int> way_down(const graph::Tree& tree, int v) {
  std::vector<int> way;
  for (; v >= 0; v = tree.parent[v]) way.push_back(v + 1);
  std::reverse(way.begin(), way.end());
  return way;
}

// Adds rows made by `make` for each of `keys` as long as their entries fit in `room`. False if some did not.
template <class Make>
bool add_rows(const std::vector<int>& keys, const Make& make, std::size_t& room, std::vector<std::vector<int>>& rows) {
  for (const int key : keys) {
    std::vector<int> row = make(key);
    if (row.size() > room) return false;
    room -= row.size();
    rows.push_back(std::move(row));
  }
  return true;
}

// A root without joints is a tip as well: a chain of its own.
std::vector<int> find_tips(const graph::Tree& tree) {
  std::vector<int> tips(tree.parent.size());
  std::iota(tips.begin(), tips.end(), 0);
  for (const int p : tree.parent) {
    if (p >= 0) tips[p] = -1;
  }
  std::erase(tips, -1);
  return tips;
}

// The farthest vertex of its own piece, by vertex: the longest way down or over the parent.
// Two passes, O(V), where a run from every vertex would take O(V^2).
std::vector<double> eccentricities(const graph::Tree& tree, std::span<const double> length) {
  const std::size_t n = tree.parent.size();
  std::vector<double> first(n, 0);   // longest way down
  std::vector<double> second(n, 0);  // longest way down through another child
  for (auto v = tree.order.rbegin(); v != tree.order.rend(); ++v) {
    const int p = tree.parent[*v];
    if (p < 0) continue;
    const double reach = first[*v] + length[tree.parent_edge[*v]];
    second[p] = std::max(second[p], std::min(first[p], reach));
    first[p] = std::max(first[p], reach);
  }
  // Then from the root down: over its parent a vertex reaches what the parent reaches elsewhere.
  std::vector<double> farthest = first;
  std::vector<double> over_parent(n, 0);
  for (const int v : tree.order) {
    const int p = tree.parent[v];
    if (p < 0) continue;
    const double step = length[tree.parent_edge[v]];
    // Where the longest way down from the parent comes through v, the second longest counts.
    const double beside = first[v] + step == first[p] ? second[p] : first[p];
    over_parent[v] = step + std::max(over_parent[p], beside);
    farthest[v] = std::max(first[v], over_parent[v]);
  }
  return farthest;
}

std::vector<std::vector<int>> find_all_centres(const Plan& plan) {
  const graph::Tree& tree = plan.tree;
  const std::vector<double> farthest = eccentricities(tree, plan.network.length);
  std::vector<int> root(tree.parent.size());
  for (const int v : tree.order) root[v] = tree.parent[v] < 0 ? v : root[tree.parent[v]];
  std::vector<double> radius = farthest;  // by root
  for (std::size_t v = 0; v < root.size(); ++v) radius[root[v]] = std::min(radius[root[v]], farthest[v]);
  // By root first, since the plan lists its roots in an order of its own.
  std::vector<std::vector<int>> by_root(tree.parent.size());
  for (std::size_t v = 0; v < root.size(); ++v) {
    if (farthest[v] <= radius[root[v]] * (1 + kRounding)) by_root[root[v]].push_back(static_cast<int>(v) + 1);
  }
  std::vector<std::vector<int>> centres;
  for (const int r : plan.roots) centres.push_back(std::move(by_root[r]));
  return centres;
}

// The loop that a cut edge closes, from 1.
std::vector<int> find_loop(const Plan& plan, const std::vector<int>& level, int cut) {
  std::vector<int> loop = graph::fundamental_loop(plan.network.graph, plan.tree, level, cut);
  for (int& e : loop) ++e;
  return loop;
}

template <class T>
Table<T> make_table(int rows, int columns) {
  return {rows, columns, std::vector<T>(to_index(rows) * to_index(columns), T{})};
}

}  // namespace

TopologyArrays make_arrays(const Plan& plan, std::size_t most) {
  const graph::Tree& tree = plan.tree;
  const auto from_one = [](int v) { return v + 1; };
  TopologyArrays arrays;
  arrays.parent.resize(tree.parent.size());
  std::transform(tree.parent.begin(), tree.parent.end(), arrays.parent.begin(), from_one);
  arrays.cut.assign(plan.network.graph.edges.size(), 0);
  for (const int e : plan.cut) arrays.cut[e] = 1;
  arrays.forward.resize(tree.order.size());
  std::transform(tree.order.begin(), tree.order.end(), arrays.forward.begin(), from_one);
  arrays.backward.assign(arrays.forward.rbegin(), arrays.forward.rend());

  const std::vector<int> level = graph::levels(tree);
  arrays.levels = make_levels(level);
  arrays.centres = find_all_centres(plan);
  const std::vector<double> distance = graph::depths(tree, plan.network.length);
  const auto deepest = std::max_element(distance.begin(), distance.end());
  // Of several tips at the same distance the one of the lowest number.
  arrays.critical_branch = way_down(tree, static_cast<int>(deepest - distance.begin()));
  // Chains first, then loops, from one allowance: together they may be far larger than the graph.
  const bool all_chains = add_rows(
      find_tips(tree), [&](int tip) { return way_down(tree, tip); }, most, arrays.chains);
  const bool all_loops = add_rows(
      plan.cut, [&](int cut) { return find_loop(plan, level, cut); }, most, arrays.loops);
  arrays.whole = all_chains && all_loops;

  const std::vector<double>& weight = plan.network.weight;
  arrays.graph_weight = std::accumulate(weight.begin(), weight.end(), 0.0);
  for (const int e : graph::tree_edges(tree)) arrays.tree_weight += weight[e];
  return arrays;
}

Result<TopologyMatrices> make_matrices(const Plan& plan) {
  const graph::Graph& graph = plan.network.graph;
  const auto vertices = to_index(graph.vertices);
  if (vertices * std::max(vertices, graph.edges.size()) > kMostMatrixEntries) {
    return make_error(ErrorCode::kLimit, {},
                      fmt::format("the matrices of {} vertices and {} edges have more than {} entries; use the arrays",
                                  vertices, graph.edges.size(), kMostMatrixEntries));
  }
  TopologyMatrices matrices;
  matrices.incidence = make_table<int>(graph.vertices, static_cast<int>(graph.edges.size()));
  matrices.path = make_table<int>(graph.vertices, graph.vertices);
  matrices.adjacency = make_table<double>(graph.vertices, graph.vertices);
  matrices.plain_adjacency = make_table<int>(graph.vertices, graph.vertices);
  for (int e = 0; e < static_cast<int>(graph.edges.size()); ++e) {
    const graph::Edge& edge = graph.edges[e];
    const double weight = plan.network.weight[e];
    matrices.edges.push_back({edge.a + 1, edge.b + 1, weight});
    ++matrices.incidence.at(edge.a, e);
    ++matrices.incidence.at(edge.b, e);
    // A joint of a body with itself joins no two.
    if (edge.a != edge.b) matrices.plain_adjacency.at(edge.a, edge.b) = matrices.plain_adjacency.at(edge.b, edge.a) = 1;
    // Of parallel edges the lightest one is the one a tree would take.
    double& entry = matrices.adjacency.at(edge.a, edge.b);
    if (entry == 0 || weight < entry) entry = matrices.adjacency.at(edge.b, edge.a) = weight;
  }
  const std::vector<double>& weight = plan.network.weight;
  const double largest = weight.empty() ? 0 : *std::max_element(weight.begin(), weight.end());
  for (int v = 0; v < graph.vertices; ++v) {
    matrices.adjacency.at(v, v) = largest;
    for (int above = v; above >= 0; above = plan.tree.parent[above]) matrices.path.at(above, v) = 1;
  }
  return matrices;
}

}  // namespace espalier::plan
