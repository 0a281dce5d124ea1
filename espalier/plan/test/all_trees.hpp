#pragma once

// Small random problems, and all of their spanning trees: what searches and bounds are held against.

#include <functional>
#include <vector>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/random.hpp"
#include "espalier/plan/problem.hpp"

namespace espalier::plan {

// A connected multigraph of 2 to `most_vertices` vertices with at most `most_loops` loops; whole weights and lengths up
// to 9, different from each other. `key` chooses it.
inline Problem random_problem(std::uint64_t key, int most_vertices = 8, int most_loops = 6) {
  Random random(key);
  const auto below = [&](int n) { return random.below(n); };
  Problem problem;
  problem.graph.vertices = 2 + below(most_vertices - 1);
  for (int v = 1; v < problem.graph.vertices; ++v) problem.graph.edges.push_back({below(v), v});
  for (int loops = below(most_loops + 1); loops > 0; --loops) {
    const int a = below(problem.graph.vertices);
    const int b = (a + 1 + below(problem.graph.vertices - 1)) % problem.graph.vertices;
    problem.graph.edges.push_back({a, b});
  }
  for (std::size_t e = 0; e < problem.graph.edges.size(); ++e) {
    problem.weight.push_back(1 + below(9));
    problem.length.push_back(1 + below(9));
  }
  return problem;
}

// Pins some edges that close no loop.
inline void pin_some(Problem& problem, std::uint64_t key) {
  problem.pinned.assign(problem.graph.edges.size(), 0);
  DisjointSets joined(static_cast<std::size_t>(problem.graph.vertices));
  Random random(key, 1);
  for (std::size_t e = 0; e < problem.graph.edges.size(); ++e) {
    if (random.below(4) != 0) continue;
    problem.pinned[e] = joined.join(problem.graph.edges[e].a, problem.graph.edges[e].b) ? 1 : 0;
  }
}

// Calls `use` with the edges of every spanning tree that holds all pinned edges. O(2^E).
inline void for_each_tree(const Problem& problem, const std::function<void(const std::vector<int>&)>& use) {
  const auto edges = static_cast<int>(problem.graph.edges.size());
  for (unsigned set = 0; set < (1u << edges); ++set) {
    if (__builtin_popcount(set) != problem.graph.vertices - 1) continue;
    DisjointSets joined(static_cast<std::size_t>(problem.graph.vertices));
    std::vector<int> tree;
    bool good = true;
    for (int e = 0; e < edges && good; ++e) {
      const bool inside = (set >> e & 1u) != 0;
      if (inside) tree.push_back(e);
      good = inside ? joined.join(problem.graph.edges[e].a, problem.graph.edges[e].b) : !problem.is_pinned(e);
    }
    if (good) use(tree);
  }
}

// (L, W) of every tree, at the problem's root or the tree's best one.
inline std::vector<Measure> measure_all(const Problem& problem) {
  std::vector<Measure> all;
  for_each_tree(problem,
                [&](const std::vector<int>& edges) { all.push_back(measure(problem, hang_best(problem, edges))); });
  return all;
}

}  // namespace espalier::plan
