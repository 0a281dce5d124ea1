#pragma once

// What a user should know of a run before it begins.

#include <vector>

#include "espalier/dynamics/system.hpp"
#include "espalier/model/lint.hpp"

namespace espalier::dynamics {

// At a start whose loops are closed: pieces that fall freely (kind `floating`), a mechanism that cannot move
// (`locked`), bodies without mass (`massless`) or next to none (`mass`), impossible inertias (`inertia`), a pose in
// which loops lose equations (`singular`). Words as those of model::lint. O(bodies + joints + rows), where loops are
// local.
std::vector<model::Finding> start_notes(const System& system, double time, std::span<const double> q);

}  // namespace espalier::dynamics
