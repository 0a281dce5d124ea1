#pragma once

// The best tree that can be found without a proof, for graphs of any size, together with the bounds of bounds.hpp.
//   1. The lightest tree, and the shortest-path tree of the centre.
//   2. Trees between the two, which grow by weight + slope * depth, for slopes from gentle to steep and some roots.
//      Each is made lighter under the cap of its own length by edge exchanges with exact depths, and hung on its centre
//      where the root is free (detail/grower.hpp).
//   3. The same around the best tree, with weights disturbed at random.
// Every step costs O(E log V), also where the tree is a chain of 10^6 vertices. One thread.

#include <cstdint>
#include <functional>
#include <optional>

#include "espalier/graph/graph.hpp"
#include "espalier/plan/detail/bounds.hpp"
#include "espalier/plan/detail/problem.hpp"

namespace espalier::plan::detail {

struct SearchOptions {
  std::uint64_t seed = 1;
  double effort = 1;           // the number of steps grows with it
  double enough = 1e-5;        // ends where the cost is within this of its lower bound, relative
  std::function<bool()> stop;  // asked between steps; true: no further one. The first trees are always made.
  BoundOptions bounds;
};

struct SearchResult {
  // Hung on the problem's root, or on its centre of the lowest number. None where no tree within the limits was found.
  std::optional<graph::Tree> tree;
  Measure measure;  // of the tree; where there is none, of the one that passes the limits least
  double cost = 0;  // of the measure
  Bounds bounds;    // on the cost; the limits are not used
  int steps = 0;
};

// Holds all pinned edges. The same options give the same tree on every machine, unless `stop` reads a clock.
SearchResult search_tree(const Problem& problem, const Goal& goal, const SearchOptions& options = {});

}  // namespace espalier::plan::detail
