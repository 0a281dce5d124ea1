#pragma once

#include <vector>

#include "espalier/plan/options.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::plan {

// How long one evaluation of the equations of motion takes on a given tree: what the papers' L + beta W stands for.
//   S1  kinematics from the root to the leaves, articulated inertias back, accelerations out again
//   S2  the loops, each eliminated where its ways meet, on the way back (loop_elimination.hpp)
// [Liu99] takes S2 as dense, so that only N(T) counts. Here loops that are local cost the same wherever they stand, and
// a joint that many open loops pass is costly. S3, the integration, is the same on all trees of equal N(T) and is left
// aside.

// The network must know its joints' f. A loop counts with its independent equations: three less where it is planar.
// Couplings and prescribed motions of a model are no part of the network and not counted. O(V + sum of all open loops).
WorkCount count_work(const Plan& plan);

struct PredictedTime {
  double s1 = 0;     // work of one worker [s]
  double s2 = 0;     // [s]
  double path = 0;   // the longest way of parts that wait for each other: a leaf's way to the root [s]
  double total = 0;  // with all workers [s]
};

// One worker: the sum of all work. More: the larger of the path and an even share of the work, which no schedule beats;
// two or more branches that meet add a synchronisation to the path. What one worker does faster stays with one.
PredictedTime predicted_time(const Plan& plan, const MachineConstants& machine = {}, int workers = 1);

// How far predicted times lay from measured ones: root mean square and largest of |predicted / measured - 1| [-].
struct PredictionSpread {
  double typical = 0;
  double largest = 0;

  bool operator==(const PredictionSpread&) const = default;
};
// Of the default constants, on the mechanisms of bench/plan_pays.
inline constexpr PredictionSpread kDefaultSpread = {0.15, 0.37};

// Step S1 of [Liu99] on P workers: the forward sweep over the tree (a body after its parent) and the backward sweep (a
// body after its children), where [Liu99] has as many workers as it needs and counts L. The step of a body costs the
// length of the joint to its parent; roots cost nothing. What dynamics runs is cut into larger pieces: task_tree.hpp.

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
