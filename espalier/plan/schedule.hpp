#pragma once

// Step S1 of [Liu99] on P workers: the forward sweep over the tree (a body after its parent) and the backward sweep (a
// body after its children), where [Liu99] has as many workers as it needs and counts L. The step of a body costs the
// length of the joint to its parent; roots cost nothing. What dynamics runs is cut into larger pieces: task_tree.hpp.

#include <vector>

#include "espalier/plan/plan.hpp"

namespace espalier::plan {

// One body's turn, in units of length.
struct Turn {
  int vertex = -1;
  double start = 0;
  double end = 0;
};

struct Schedule {
  std::vector<std::vector<Turn>> forward;   // by worker, in time order
  std::vector<std::vector<Turn>> backward;  // the forward sweep in reverse
  double makespan = 0;                      // of either sweep
  double lower_bound = 0;  // the longer of the critical branch and the total shared evenly: no schedule is shorter
  double total = 0;        // what one worker needs
};

// Whoever is free takes the body with the longest way still ahead, equal ones by their number; once from the roots and
// once, in reverse, from the tips, and the shorter of both is kept. At most lower_bound (2 - 1/P), since
// makespan <= total/P + (1 - 1/P) L for every schedule that lets nobody wait without need [Graham69]. With steps of
// equal cost it is the shortest schedule there is [Hu61]. `workers` >= 1; more than there are bodies stay idle. O(V log
// V).
Schedule make_schedule(const Plan& plan, int workers);

}  // namespace espalier::plan
