#pragma once

// Plans made by hand and small random mechanisms, for tests that need no search.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "espalier/base/numbers.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/plan/test/all_trees.hpp"

namespace espalier::plan::detail {

inline Problem problem_of(const Network& network, int root = -1) {
  return {network.graph, network.weight, network.length, {}, root};
}

// The plan with this tree of a connected network, on this root or on its best one.
inline Plan hand_plan(const Network& network, const std::vector<int>& edges, int root = -1, double beta = 1) {
  Plan plan;
  plan.beta = beta;
  plan.network = network;
  const Problem problem = problem_of(network, root);
  plan.tree = hang_best(problem, edges);
  plan.roots = {plan.tree.root};
  plan.cut = graph::chords(plan.tree, network.graph.edges.size());
  plan.measure = measure(problem, plan.tree);
  plan.cost = cost({1, beta}, plan.measure);
  return plan;
}

// A connected mechanism with 2 to 6 bodies and up to 4 loops; w = f, and l = w or lengths of its own. Body 0 is the
// ground in two of three.
inline Network small_mechanism(std::uint32_t key) {
  Random random(31, key);
  Network network;
  const int n = 2 + random.below(5);
  network.graph.vertices = n;
  for (int v = 1; v < n; ++v) network.graph.edges.push_back({random.below(v), v});
  for (int loop = random.below(5); loop > 0; --loop) {
    const int a = random.below(n);
    const int b = random.below(n - 1);
    network.graph.edges.push_back({a, b < a ? b : b + 1});
  }
  for (std::size_t e = 0; e < network.graph.edges.size(); ++e) {
    network.freedom.push_back(1 + random.below(3));
    network.weight.push_back(network.freedom.back());
    network.length.push_back(key % 2 == 0 ? network.weight.back() : 1 + random.below(9));
  }
  network.ground = key % 3 == 0 ? -1 : 0;
  return network;
}

// All spanning trees of a connected graph, each as edges in increasing order.
inline std::vector<std::vector<int>> all_trees(const graph::Graph& graph) {
  std::vector<std::vector<int>> trees;
  Problem problem;
  problem.graph = graph;
  for_each_tree(problem, [&](const std::vector<int>& tree) { trees.push_back(tree); });
  return trees;
}

}  // namespace espalier::plan::detail
