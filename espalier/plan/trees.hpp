#pragma once

// All spanning trees of a network: how many a plan is chosen from, and each of them where they are few.

#include <cstddef>
#include <optional>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/graph/spanning_trees.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/plan/options.hpp"

namespace espalier::plan {

// The spanning trees that hold all pins and leave out all forced cuts; of a network in pieces, the choices of one in
// each. Bodies cut in two count as make_plan() cuts them. Cost and limit are those of graph::count_spanning_trees;
// nothing beyond. Errors: wishes that contradict each other.
Result<std::optional<graph::TreeCount>> count_trees(const Network& network, const PlanOptions& options = {});

// One tree on the root that was asked for, or on its centre where there is none.
struct ListedTree {
  double cost = 0;  // of the objective; limits on L and W are not looked at
  Measure measure;
  std::optional<int> equations;  // N(T); no value for a plain graph
  int root = -1;                 // of the largest piece
  std::vector<int> cut;          // edges outside the tree, in increasing order
};

// Theorem 2 of [Liu99]: whatever beta is, a tree of least L + beta W is no shorter than T_s, the shortest-path tree of
// smallest radius, and no heavier; it is no lighter than T_m, the lightest tree, and no longer.
struct Bracket {
  Measure shortest;  // of T_s
  Measure lightest;  // of T_m, on its best root
};
// Of a network in pieces, one such tree in each. No value where edges are pinned, since T_s might have to hold them,
// nor beyond 10 000 vertices. Errors: wishes that contradict each other. O(runs (V + E) log V), as graph::find_radius.
Result<std::optional<Bracket>> find_bracket(const Network& network, const PlanOptions& options = {});

// The most trees that are listed: some seconds of work.
inline constexpr std::size_t kMostListed = 10'000;

// Every tree that count_trees() counts, the cheapest first. Errors: more than `most` of them, with their number; loops
// and more than 300 edges. O(E^2) for each tree.
Result<std::vector<ListedTree>> list_trees(const Network& network, const PlanOptions& options = {},
                                           std::size_t most = kMostListed);

}  // namespace espalier::plan
