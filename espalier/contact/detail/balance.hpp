#pragma once

// How space is shared out among the ranks, and when it is done anew.

#include <vector>

#include "espalier/contact/detail/step.hpp"

namespace espalier::contact::detail {

// What each object of this rank weighs: owned bodies, where they are, and internal constraints, where they hold.
// Collective where weights are measured.
std::vector<WeightedPoint> weigh(const comm::Comm& comm, const Domain& domain);

// (16) and (17) of [Koziara11].
//   constraint  d_m + d_s + factor (d_m (s_m - 1) + d_s (s_s - 1)), d velocities and s constraints of a body
//   body        d, and the weights of constraints that hold this body alone
std::vector<WeightedPoint> weigh_by_formula(const Domain& domain, int rank, double factor);

// The same on every rank: whether the time lost by waiting for the slowest is more than sharing out anew would take.
bool is_out_of_balance(const Domain& domain);

// Cuts space anew and forgets what was measured. Collective.
void share_out(const comm::Comm& comm, Domain& domain);

// After a step: what every rank has done in it.
struct Effort {
  std::int64_t contacts = 0, constraints = 0;
  double penetration = 0;
  double busy = 0;     // without waiting for others [s]
  double balance = 0;  // of it: for sharing out [s]
};
void note_efforts(std::span<const Effort> efforts, Domain& domain);
// What this rank's own work of a step was for.
void note_work(const StepTimes& times, const Adjacency& adjacency, int rank, Domain& domain);

}  // namespace espalier::contact::detail
