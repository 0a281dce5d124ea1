#pragma once

// The heuristics of [Liu99] section 6 as one family: start from a tree, discuss the leaves in some order, exchange a
// leaf's edge where that lowers the cost, cut all leaves off and go on with the new ones until nothing is left.
//   A2 is {kScbst, kNear}, A3 is {kScbst, kFar}.
// The change of cost in A2 and A3 forgets the branch below the discussed vertex, a critical branch that becomes shorter
// and a moving centre. `accumulated` keeps the paper's sum; the result is always measured anew. With it no exchange
// could ever follow on a MWST, where no other edge is lighter: the other members of the family take the true change of
// f_c, as 6.1 asks for.
//
// Ties, chosen so that the printed run of 7.2 comes out line by line: of leaves at the same distance the one with the
// shorter branch cut off below it is the farther one, then the one that appears first in the edge list; neighbours are
// tried by weight, then in edge order; the centre stays as long as it still is one, else the lowest number follows.
// A vertex that becomes a leaf is discussed next. Where the centre itself is to be discussed, the run ends (6.2.1, step
// 3b). A root that was asked for stays where it is: it is never discussed and never cut off.

#include "espalier/plan/detail/problem.hpp"
#include "espalier/plan/options.hpp"
#include "espalier/plan/trace.hpp"

namespace espalier::plan::detail {

// Whether a run keeps its rounds: they take more memory than the graph.
enum class Keep { kTree, kRounds };

// Beside the start O(V) for each exchange, and for each that is tried where the true change is asked for. `beta` > 0
// [-].
ExchangeRun exchange_edges(const Problem& problem, double beta, Start start, Sweep sweep, Keep keep = Keep::kTree);

}  // namespace espalier::plan::detail
