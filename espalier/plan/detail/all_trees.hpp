#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "espalier/plan/detail/problem.hpp"

namespace espalier::plan::detail {

// Every spanning tree that holds all pinned edges, on the problem's root or on every vertex; none where there are more
// than `most`, or where the graph is too large to try. O(E^2) a tree.
std::optional<std::vector<graph::Tree>> list_rooted_trees(const Problem& problem, std::size_t most);

}  // namespace espalier::plan::detail
