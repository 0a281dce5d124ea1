#pragma once

// What the equations of the closures say together: how many are independent, which repeat others, what change of a
// joint would make them independent, and how many degrees of freedom are left. Rank, count and freedom are the same for
// every tree. See docs/theory/dynamics.md.
//   In:    System and a closed pose q; the time [s], for drives
//   Out:   ConstraintReport: counts, the equations that repeat others by joint and direction, and types of joints that
//          would be free of them
//   Units  none: rows are compared with lengths counted in typical lengths of the model
//   Cost   sparse elimination, O(rows) where loops are local; given up beyond RedundancyOptions::most_entries

#include <cstddef>
#include <span>
#include <vector>

#include "espalier/dynamics/system.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics {

struct RedundancyOptions {
  // What is left of an equation that others imply, without units. True pivots of machines go down to 1e-4; rounding of
  // an assembled pose stays below 1e-11.
  double tolerance = 1e-6;
  bool remedies = true;
  bool singular = true;                   // look beside the pose, too
  std::size_t most_entries = 50'000'000;  // of the elimination; more is given up
};

// An equation that those of other joints imply.
struct RedundantEquation {
  model::JointId joint;                               // of a drive the first one
  model::Direction direction = model::Direction::kX;  // in the joint's frame A; means nothing for a drive
  int drive = -1;                                     // of the system: a coupling or motion that others decide already
};

// A type for a joint that frees directions in which redundant equations press against each other. All freedoms of the
// mechanism stay what they are.
struct Remedy {
  model::JointId joint;
  model::JointType type = model::JointType::kSpherical;
  char axis = 0;    // x or y of frame A: second axis of the universal joint, normal of the planar one; 0 for the others
  int removes = 0;  // equations
};

struct ConstraintReport {
  bool complete = true;                      // false: too large, nothing below is known
  int rows = 0;                              // equations of cut joints and couplings, without motions
  int rank = 0;                              // independent ones, in nearly every pose
  int rank_here = 0;                         // in this pose: less where it is singular
  int freedom = 0;                           // degrees of freedom: velocity_size - rank
  int driven = 0;                            // of these, taken by motions
  double smallest_kept = 0;                  // how far apart: what is left of an independent equation at least,
  double largest_dropped = 0;                // and of a redundant one at most
  std::vector<RedundantEquation> redundant;  // rows - rank; behind them motions that cannot be
  std::vector<Remedy> remedies;              // tried out together: rank and freedom were computed anew
  int remedied = 0;                          // redundant equations that vanish with them
};

// At q, which must be closed, and this time. O(rows) where loops are local.
ConstraintReport analyse_constraints(const System& system, double time, std::span<const double> q,
                                     const RedundancyOptions& options = {});

}  // namespace espalier::dynamics
