#pragma once

// Branch and bound: the best tree of a Problem under a Goal, proved; and the whole front of (L, W).
//
// One search per root, all in one queue, best bound first. A node holds the arcs (an edge in one of its two directions,
// away from the root) that its trees may use. Its bounds, numbered as in docs/theory/plan.md, which proves them:
//   (P14)  L0    the farthest vertex, by shortest paths over these arcs
//   (P15)  W0    the lightest arborescence of these arcs; its dual gives every arc a reduced weight c(a) >= 0, so that
//                W(T) >= W0 + sum of c over any arcs of T
//   (P16)  cost  weight_factor W0 + the farthest vertex under length_factor l + weight_factor c: LB8 with the node's
//                own arborescence instead of the minimum spanning tree
// Arcs that lead past the best known cost by any of these are dropped, which raises the bounds again. If the lightest
// arborescence is too deep, some arc of its longest path must go: one child for each, the arcs before it fixed.

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "espalier/plan/detail/problem.hpp"
#include "espalier/plan/options.hpp"

namespace espalier::plan::detail {

struct ExactOptions {
  // A node costs about O(V + E) operations times a small factor. The search ends here with the bound it has.
  std::int64_t most_nodes = std::numeric_limits<std::int64_t>::max();
  // Each time so many nodes are done the search goes on only while it gains: it has closed as large a part of the gap
  // between its first bound and the cost as it has used of `most_nodes`, or since the last time it found a better tree
  // or has fewer nodes left. 0: it is not asked.
  std::int64_t patience = 0;
  std::function<bool()> stop;                  // asked at every node; empty: never
  std::function<void(const Progress&)> watch;  // told now and then; may be empty
};

struct ExactResult {
  std::optional<graph::Tree> tree;  // the best known; none if none is allowed, or none was found in time
  Measure measure;                  // of the tree
  double lower_bound = 0;           // of the goal's cost; infinite where no tree is allowed
  bool finished = false;            // nothing is left to search
  bool gave_up = false;             // it gained too little: ExactOptions::patience
  std::int64_t nodes = 0;
};

// `known` may hold a good tree, from a heuristic; it is returned if nothing is better. With both factors 0 the question
// is whether any tree is allowed, and the search ends with the first.
ExactResult solve_exactly(const Problem& problem, const Goal& goal, const std::optional<graph::Tree>& known = {},
                          const ExactOptions& options = {});

// All (L, W) that no tree betters in one without losing in the other, by increasing L. O(points) exact searches.
struct FrontResult {
  std::vector<Measure> points;
  std::vector<graph::Tree> trees;  // one a point
  // False: the points of largest L are there, the others are missing; at the weight of points.front() there may be a
  // shorter tree.
  bool finished = false;
  std::int64_t nodes = 0;
};
FrontResult find_front(const Problem& problem, const ExactOptions& options = {});

}  // namespace espalier::plan::detail
