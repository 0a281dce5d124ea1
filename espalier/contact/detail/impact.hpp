#pragma once

// Impacts with friction and restitution that would make energy get less restitution.

#include "espalier/contact/detail/step.hpp"

namespace espalier::contact::detail {

// After part 7, whose impulses are `R` by place: the energy that the contacts of a group of bodies, joined by contacts
// and joints, take from it must not be negative. Where it is, the restitution of that group is lowered, in `domain` and
// `prepared`, until it is not, and R solved again. Groups without restitution are left as they are. Collective.
// Cost: a look at the rows; where bodies rebound and some row gives energy, a message with all rows to the root; seven
// solutions more where a group is found.
Solved bound_impacts(const comm::Comm& comm, Domain& domain, Prepared& prepared, const Solved& solved,
                     std::span<Eigen::Vector3d> R);

}  // namespace espalier::contact::detail
