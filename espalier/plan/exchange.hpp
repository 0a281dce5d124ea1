#pragma once

// The heuristics of [Liu99] section 6 as one family: start from a tree, discuss the leaves in some order, exchange a
// leaf's edge where that lowers the cost, cut all leaves off and go on with the new ones until nothing is left.
//   A2 is {kScbst, kNear}, A3 is {kScbst, kFar}.
// The paper's change of cost forgets the branch below the discussed vertex, a critical branch that becomes shorter and
// a moving centre. `accumulated` keeps the paper's sum; the result is always measured anew.
//
// Ties, chosen so that the printed run of 7.2 comes out line by line: of leaves at the same distance the one with the
// shorter branch cut off below it is the farther one, then the one that appears first in the edge list; neighbours are
// tried by weight, then in edge order; the centre stays as long as it still is one, else the lowest number follows.
// A vertex that becomes a leaf is discussed next. Where the centre itself is to be discussed, the run ends (6.2.1, step
// 3b). A root that was asked for stays where it is: it is never discussed and never cut off.

#include <vector>

#include "espalier/plan/problem.hpp"

namespace espalier::plan {

enum class Start { kScbst, kMwst };
enum class Sweep {
  kNear,       // the leaf nearest to the centre first
  kFar,        // the leaf farthest from the centre first
  kCentreOut,  // all vertices, from the centre towards the leaves, again until a round changes nothing. Nothing is cut
               // off here, so the change counts the branch below the vertex too: every exchange lowers the true cost.
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

// A1: the shortest-path tree of smallest radius, of the centre of the lowest number, or of the problem's root where
// there is one; of equal ways the parent of the lowest number. O(V E log V) at worst: a vertex whose eccentricity is
// bounded away from the best by others is left out. With pinned edges a tree that holds them all, not always the one of
// smallest radius.
graph::Tree shortest_critical_branch_tree(const Problem& problem);

// O(V) for each exchange beside the start. `beta` > 0 [-].
ExchangeRun exchange_edges(const Problem& problem, double beta, Start start, Sweep sweep, bool trace = false);

}  // namespace espalier::plan
