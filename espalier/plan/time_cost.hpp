#pragma once

// How long one evaluation of the equations of motion takes on a given tree: what the papers' L + beta W stands for.
//   S1  kinematics from the root to the leaves, forces and composite inertias back, H by walking up from each joint
//   S2  block LDL^T of [H G^T; G 0] and one solution with it, from the pattern alone
//   S3  integration of all coordinates
// [Liu99] takes S2 as dense, so that only N(T) counts. With a sparse S2 trees of the same N(T) differ fiftyfold.

#include "espalier/plan/closed_tree.hpp"

namespace espalier::plan {

// Times of one machine [s]. The defaults are fitted to ladders of four-bars cut in several ways, measured on one core
// of a Xeon at 2.8 GHz with g++ -O3; they give each of them back within a fifth (time_cost_test.cpp).
struct MachineConstants {
  // S1, kinematics of a joint with f coordinates: 0.07 us for f = 1, 0.10 us for f = 3.
  double forward_step = 55e-9;
  double forward_coordinate = 15e-9;
  // S1, force and composite inertia of a joint handed to its parent: 0.075 us for f = 1, 0.155 us for f = 3.
  double backward_step = 35e-9;
  double backward_coordinate = 40e-9;
  // S1, one block of H for a joint and one of its ancestors, and each entry of the block: 0.019 us for two hinges.
  double pair = 15e-9;
  double pair_entry = 4e-9;
  // S2, each row of the system whatever its length, and each flop of factorisation and solution.
  double equation = 22e-9;
  double flop = 0.56e-9;
  // S3, each coordinate. Not measured yet.
  double integration = 0;
  // Handing work between two threads that wait for each other: a fork or a join, at best.
  double synchronisation = 100e-9;
};

struct PredictedTime {
  double s1 = 0;  // [s]
  double s2 = 0;
  double s3 = 0;

  double total() const { return s1 + s2 + s3; }
};

// One worker: the sum of all work. More: for each stage the larger of its critical path and an even share of its work,
// which no schedule beats; two or more branches that meet add a synchronisation to the path. A stage that one worker
// does faster stays with one. O(blocks of L), and the time of minimum degree where it is asked for.
PredictedTime predicted_time(const ClosedTree& closed, const MachineConstants& machine = {}, int workers = 1,
                             EliminationOrder order = EliminationOrder::kMinimumDegree);

}  // namespace espalier::plan
