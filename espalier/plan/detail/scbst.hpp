#pragma once

#include "espalier/graph/graph.hpp"
#include "espalier/plan/detail/problem.hpp"

namespace espalier::plan::detail {

// A1: the shortest-path tree of smallest radius, of the centre of the lowest number, or of the problem's root where
// there is one; of equal ways the parent of the lowest number. O(V E log V) at worst: a vertex whose eccentricity is
// bounded away from the best by others is left out. With pinned edges a tree that holds them all, not always the one of
// smallest radius.
graph::Tree shortest_critical_branch_tree(const Problem& problem);

}  // namespace espalier::plan::detail
