#pragma once

// The best tree that can be found without a proof, for graphs of any size, together with the bounds of bounds.hpp.
//   1. The lightest tree, and the shortest-path trees of promising roots.
//   2. From the lightest tree down: the cap on the critical branch is lowered step by step; the tree is lifted above
//      the cap along a shortest-path tree in l + lambda c (detail/lift.hpp), then made lighter under the cap by edge
//      exchanges with exact depths (detail/regrow.hpp), then hung on its centre where the root is free.
//   3. The same in small: the best tree is lifted and made lighter again around its own length, at random.
// Every step costs O(E log V) or less, also where the tree is a chain of 10^6 vertices.

#include <cstdint>
#include <functional>
#include <optional>

#include "espalier/graph/tree.hpp"
#include "espalier/plan/bounds.hpp"
#include "espalier/plan/problem.hpp"

namespace espalier::plan {

struct SearchOptions {
  std::uint64_t seed = 1;
  double effort = 1;           // twice as much: about twice the steps, on graphs small enough to afford more than a few
  std::function<bool()> stop;  // asked between steps; true: no further one. The first trees are always made.
  BoundOptions bounds;
};

struct SearchResult {
  // Hung on the problem's root, or on its centre of the lowest number. None where no tree within the limits was found.
  std::optional<graph::Tree> tree;
  Measure measure;  // of the tree; where there is none, of the one that passes the limits least
  Bounds bounds;    // on the cost; the limits are not used
  int steps = 0;
};

// Holds all pinned edges. The same options give the same tree on every machine, unless `stop` reads a clock.
SearchResult search_tree(const Problem& problem, const Goal& goal, const SearchOptions& options = {});

}  // namespace espalier::plan
