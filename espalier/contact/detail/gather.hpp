#pragma once

// What the root hands out: collected from all ranks, in the order of ids and keys.

#include <vector>

#include "espalier/contact/contact.hpp"
#include "espalier/contact/detail/domain.hpp"
#include "espalier/contact/detail/shown.hpp"

namespace espalier::contact::detail {

// From a beginning that does not matter [s].
double read_clock();

// Of a step, and of what is here now.
model::RankLoad load_of(const comm::Comm& comm, const Domain& domain, const StepTimes& times);

// Memory behind model::Frame.
struct FrameArrays {
  std::vector<double> body_pose, body_velocity, body_acceleration;
  ShownNumbers parts;
  std::vector<std::int32_t> owner;
  std::vector<model::ContactPoint> contacts;
  std::vector<model::RankLoad> ranks;
};
// Collective. The answers count on the root. The frame points into `arrays`.
model::Frame gather_frame(const comm::Comm& comm, const Domain& domain, const model::RankLoad& load,
                          FrameArrays& arrays);
// After a step.
RunState gather_state(const comm::Comm& comm, const Domain& domain, std::int64_t outputs);

}  // namespace espalier::contact::detail
