#pragma once

// Lower bounds on the cost length_factor L + weight_factor W of every spanning tree and root: the certificate that
// comes with a plan of any size.
//   T_m  the lightest tree; c(e) what an edge weighs more than the heaviest edge of T_m that it can replace
//   W(T) >= W(T_m) + sum of c over T, and T holds the way from its root to every vertex. So with a and b the factors,
//   R(d) the radius and D(d) the diameter of the graph under the edge lengths d:
//   Theorem 7 of [Liu99]  b W(T_m) + R(a l)
//   LB8                   b W(T_m) + R(a l + b c)                                at least Theorem 7
//   LB9                   b W(T_m) + D(a l + 2 b c) / 2
//   LB10                  b W(T_m) + min over r of max over pairs (p, q) of min over x of
//                         d(r, x; a l + b c) + d(x, p; a l / 2 + b c) + d(x, q; a l / 2 + b c)
// LB10 holds because the critical branch is at least as long as the mean of the ways to p and to q, which part at some
// x. The pair (p, p) is LB8; some pairs are enough for a bound. With a fixed root there is no minimum over r, and R is
// the root's eccentricity. Pinned edges make c larger, see graph/paths.hpp. Proofs: docs/theory/plan.md.

#include "espalier/plan/detail/landscape.hpp"
#include "espalier/plan/detail/problem.hpp"

namespace espalier::plan::detail {

struct BoundOptions {
  int runs = 100;  // most shortest-path runs for each of the two radii; fewer give a weaker bound, still a valid one
  int pairs = 8;   // most pairs of LB10, five runs each; 0: LB9 and LB10 are LB8
};

struct Bounds {
  double weight = 0;    // of the lightest tree: no tree weighs less
  double length = 0;    // no tree has a shorter critical branch
  double theorem7 = 0;  // on the cost, as the next three
  double lb8 = 0;
  double lb9 = 0;
  double lb10 = 0;       // the best of the four
  bool exact = false;    // both radii were found, not just bounded from below
  int length_root = -1;  // root of the shortest critical branch found
  int cost_root = -1;    // root of the smallest LB8 found: a promising one
  int runs = 0;          // of Dijkstra's method, all in all
};

// The limits of the goal are not used: they make no bound wrong. O(runs (V + E) log V).
Bounds find_bounds(const Problem& problem, const Goal& goal, const BoundOptions& options = {});
Bounds find_bounds(Landscape& landscape, const Goal& goal, const BoundOptions& options);

}  // namespace espalier::plan::detail
