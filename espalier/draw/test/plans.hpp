#pragma once

// Plans by hand.

#include <algorithm>
#include <utility>
#include <vector>

#include "espalier/draw/detail/plan_words.hpp"
#include "espalier/draw/test/words.hpp"

namespace espalier::draw {

using plan::Network;
using plan::Plan;

// A plan by hand: vertex v > 0 hangs on parent[v]; the links are cut.
inline Plan make(const std::vector<int>& parent, const std::vector<std::pair<int, int>>& links) {
  Plan plan;
  Network& network = plan.network;
  network.graph.vertices = static_cast<int>(parent.size());
  plan.tree.parent = parent;
  for (int v = 0; v < network.graph.vertices; ++v) {
    plan.tree.order.push_back(v);
    plan.tree.parent_edge.push_back(parent[v] < 0 ? -1 : static_cast<int>(network.graph.edges.size()));
    if (parent[v] < 0) {
      plan.roots.push_back(v);
    } else {
      network.graph.edges.push_back({parent[v], v});
    }
  }
  for (const auto& [a, b] : links) {
    plan.cut.push_back(static_cast<int>(network.graph.edges.size()));
    network.graph.edges.push_back({a, b});
  }
  plan.tree.root = plan.roots.front();
  network.weight.assign(network.graph.edges.size(), 1);
  network.length = network.weight;
  const std::vector<double> distance = detail::root_distances(plan);
  plan.measure = {*std::max_element(distance.begin(), distance.end()),
                  static_cast<double>(network.graph.edges.size() - plan.cut.size())};
  plan.cost = plan.lower_bound = plan.measure.length + plan.measure.weight;
  plan.optimal = true;
  return plan;
}

//  ground --A-- crank --B-- coupler
//       \--D-- rocker - - C - -/
inline Plan four_bar() {
  Plan plan = make({-1, 0, 1, 0}, {{2, 3}});
  plan.network.vertex_names = {"ground", "crank", "coupler", "rocker"};
  plan.network.edge_names = {"A", "B", "D", "C"};
  plan.network.ground = 0;
  plan.network.freedom = {1, 1, 1, 1};
  return plan;
}

inline Plan comb(int vertices) {
  std::vector<int> parent = {-1};
  for (int v = 1; v < vertices; ++v) parent.push_back(v % 2 == 0 ? v - 2 : v - 1);
  return make(parent, {{vertices - 1, vertices - 2}});
}

}  // namespace espalier::draw
