#pragma once

// How long one evaluation of the equations of motion takes on a given tree: what the papers' L + beta W stands for.
//   S1  kinematics from the root to the leaves, articulated inertias back, accelerations out again
//   S2  the loops, each eliminated where its ways meet, on the way back (loop_elimination.hpp)
// [Liu99] takes S2 as dense, so that only N(T) counts. Here loops that are local cost the same wherever they stand, and
// a joint that many open loops pass is costly. S3, the integration, is the same on all trees of equal N(T) and is left
// aside.

#include "espalier/plan/machine.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::plan {

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

}  // namespace espalier::plan
