#pragma once

#include <span>

namespace espalier::dynamics {
class System;
class Workspace;
}  // namespace espalier::dynamics

namespace espalier::dynamics::detail {

// As project_velocities(), with the factors that its last call left in `work`: for other velocities at the same
// positions, and at positions next to them, where rates of second order in the distance are left. Rates are not brought
// up to date.
void project_again(const System& system, double time, std::span<const double> q, std::span<double> v, Workspace& work);

}  // namespace espalier::dynamics::detail
