#pragma once

// What the root hands out: collected from all ranks, in the order of ids and keys.

#include "espalier/contact/contact.hpp"

namespace espalier::contact::detail {

// Time that this rank has spent, from a beginning that does not matter.
struct Clock {
  double all = 0, in_messages = 0;  // [s]
};
Clock read_clock(const comm::Comm& comm);

// Of the time since `before`, and of what is here now.
RankLoad load_since(const comm::Comm& comm, const Domain& domain, const Clock& before);

// Collective. The answers count on the root.
SceneFrame gather_frame(const comm::Comm& comm, const Domain& domain, const RankLoad& load);
// After a step.
RunState gather_state(const comm::Comm& comm, const Domain& domain, std::int64_t outputs);

}  // namespace espalier::contact::detail
