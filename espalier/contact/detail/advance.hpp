#pragma once

// A domain from a scene, and one step of it: the parts that step.hpp lists, put together.

#include "espalier/contact/detail/step.hpp"

namespace espalier::contact::detail {

// Collective. The root has all of its scene until the first step, which distributes it; what other ranks name is
// ignored.
Domain make_domain(const comm::Comm& comm, Scene scene, const Settings& settings);

// Collective. Parts 0 to 6: all that the solver needs.
Prepared prepare_step(const comm::Comm& comm, Domain& domain);
// Collective. Parts 7 to 9; impacts that would make energy lose restitution in `prepared`.
StepReport finish_step(const comm::Comm& comm, Domain& domain, Prepared& prepared);
// Collective. One step.
StepReport step(const comm::Comm& comm, Domain& domain);

}  // namespace espalier::contact::detail
