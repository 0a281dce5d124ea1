#pragma once

// What the root hands out: collected from all ranks, in the order of ids and keys.

#include "espalier/contact/contact.hpp"

namespace espalier::contact::detail {

// From a beginning that does not matter [s].
double read_clock();

// Of a step, and of what is here now.
RankLoad load_of(const comm::Comm& comm, const Domain& domain, const StepTimes& times);

// Collective. The answers count on the root.
SceneFrame gather_frame(const comm::Comm& comm, const Domain& domain, const RankLoad& load);
// After a step.
RunState gather_state(const comm::Comm& comm, const Domain& domain, std::int64_t outputs);

}  // namespace espalier::contact::detail
