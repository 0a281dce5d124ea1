#pragma once

// Every spanning tree of a small problem, and random small problems to try them on.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/plan/detail/problem.hpp"

namespace espalier::plan::detail {

// Calls visit(edges) for each spanning tree that holds all pinned edges. O(2^E).
template <class Visit>
void for_each_tree(const Problem& problem, Visit visit) {
  const auto edges = static_cast<int>(problem.graph.edges.size());
  std::vector<int> chosen;
  for (std::uint32_t set = 0; set < (std::uint32_t{1} << edges); ++set) {
    DisjointSets joined(to_index(problem.graph.vertices));
    chosen.clear();
    bool fits = true;
    for (int e = 0; e < edges && fits; ++e) {
      const bool taken = (set >> e & 1) != 0;
      if (taken) chosen.push_back(e);
      fits = taken ? joined.join(problem.graph.edges[e].a, problem.graph.edges[e].b) : !problem.is_pinned(e);
    }
    if (fits && static_cast<int>(chosen.size()) == problem.graph.vertices - 1) visit(chosen);
  }
}

// (L, W) of every tree, at the problem's root or at the tree's best one.
inline std::vector<Measure> measure_all(const Problem& problem) {
  std::vector<Measure> all;
  for_each_tree(problem,
                [&](const std::vector<int>& edges) { all.push_back(measure(problem, hang_best(problem, edges))); });
  return all;
}

// The smallest cost of an allowed tree; infinite where there is none.
inline double find_optimum(const Problem& problem, const Goal& goal) {
  double best = std::numeric_limits<double>::infinity();
  for_each_tree(problem, [&](const std::vector<int>& edges) {
    const Measure found = measure(problem, hang_best(problem, edges));
    if (is_allowed(goal, found)) best = std::min(best, cost(goal, found));
  });
  return best;
}

// 2 to 8 vertices, up to 5 independent loops, parallel edges among them; lengths other than weights; one in two with a
// fixed root, one in two with pinned edges.
inline Problem random_problem(std::uint32_t key) {
  Random random(21, key);
  Problem problem;
  problem.graph.vertices = 2 + random.below(7);
  for (int v = 1; v < problem.graph.vertices; ++v) problem.graph.edges.push_back({v, random.below(v)});
  for (int more = random.below(6); more > 0; --more) {
    const int a = random.below(problem.graph.vertices);
    const int b = random.below(problem.graph.vertices - 1);
    problem.graph.edges.push_back({a, b < a ? b : b + 1});
  }
  for (std::size_t e = 0; e < problem.graph.edges.size(); ++e) {
    problem.weight.push_back(1 + random.below(9));
    problem.length.push_back(0.5 * (1 + random.below(12)));
  }
  if (random.below(2) == 0) problem.root = random.below(problem.graph.vertices);
  if (random.below(2) == 0) {
    problem.pinned.assign(problem.graph.edges.size(), 0);
    DisjointSets joined(to_index(problem.graph.vertices));
    for (std::size_t e = 0; e < problem.pinned.size(); ++e) {
      if (random.below(3) > 0) continue;
      problem.pinned[e] = joined.join(problem.graph.edges[e].a, problem.graph.edges[e].b) ? 1 : 0;
    }
  }
  return problem;
}

}  // namespace espalier::plan::detail
