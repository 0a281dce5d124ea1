#pragma once

// What a plan costs in the terms of [Liu99] section 2, with all its constants 1:
//   N(T) = sum of f over the tree + sum of (6 - f) over the cut joints                   (2)
//   one worker:    |E_T| + N^P + N                                                      (6)
//   many workers:  L + N^P + 1                                                          (18)
// N(T) = 6c - F + 2 (sum of f over the tree) with c loops and F the sum of f over all joints, so that the fewest
// coordinates in the tree and the fewest equations are one problem.

#include <span>

#include "espalier/plan/network.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::plan::detail {

// Eq. (2) for the tree of these edges; the network must know its joints' f. O(E).
int count_equations(const Network& network, std::span<const int> tree_edges);

// What a root adds: a body in the air brings six coordinates, and six equations more tie the ground to it where the
// ground hangs on it (`with_ground`). Nothing where the root is the ground, or where the network has none.
int count_root_equations(const Network& network, int root, bool with_ground);

// N(T) of a plan: eq. (2), six equations for each body cut in two, and what its roots add.
int count_equations(const Plan& plan);

// `exponent` is P, 2 < P < 3.
double sequential_cost(const Plan& plan, double exponent);
double parallel_cost(const Plan& plan, double exponent);

}  // namespace espalier::plan::detail
