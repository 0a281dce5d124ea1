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

#include <vector>

#include "espalier/plan/problem.hpp"
#include "espalier/plan/scbst.hpp"
#include "espalier/graph/tree.hpp"

namespace espalier::plan {

enum class Start { kScbst, kMwst };
enum class Sweep {
  kNear,       // the leaf nearest to the centre first
  kFar,        // the leaf farthest from the centre first
  kCentreOut,  // all vertices, from the centre towards the leaves, again until a round changes nothing
};

struct ExchangeCount {
  int rounds = 0;
  int discussed = 0;
  int exchanges = 0;
};

// One discussed vertex, as [Liu99] 7.2 prints it.
struct Discussion {
  int vertex = -1;
  int old_parent = -1;  // -1: no exchange lowers the cost
  int new_parent = -1;
  double change = 0;         // dfc
  int centre = -1;           // after the exchange
  std::vector<int> deleted;  // from the stack
  std::vector<int> pushed;   // on the stack: vertices that became leaves
  double accumulated = 0;    // the paper's f_c after the exchange; 0 where there is none
  double measured = 0;       // the true one; 0 where there is none
};

struct Round {
  std::vector<int> stack;
  std::vector<Discussion> discussions;
};

struct ExchangeRun {
  graph::Tree start;
  graph::Tree tree;  // the last one; hung on its centre, or on the problem's root
  double start_cost = 0;
  double accumulated = 0;  // start_cost and all changes
  double cost = 0;         // of `tree`, measured anew
  ExchangeCount count;
  std::vector<Round> rounds;  // filled if `trace`
};

// Beside the start O(V) for each exchange, and for each that is tried where the true change is asked for. `beta` > 0
// [-].
ExchangeRun exchange_edges(const Problem& problem, double beta, Start start, Sweep sweep, bool trace = false);

}  // namespace espalier::plan
