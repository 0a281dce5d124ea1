#pragma once

// The equations of a mechanism that nothing drives, in the order in which they are believed.

#include <vector>

#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

int count_motions(const System& system);
// Motions stand first among the drives; without them the mechanism moves as it can.
System without_motions(const System& system);

// Equations in the order in which they are believed: a redundant one is named after what stands before it. Welds are
// ours and not the user's; of joints, positions come before angles; then couplings, and the first `motions` drives
// last.
std::vector<int> natural_order(const System& system, int motions);

}  // namespace espalier::dynamics::detail
