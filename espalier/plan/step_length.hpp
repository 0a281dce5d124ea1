#pragma once

// Lengths of `--weights measured`: how long a recursion stays at a joint.

#include "espalier/plan/machine.hpp"
#include "espalier/plan/network.hpp"

namespace espalier::plan {

// One step of a recursion over a joint of so many coordinates, in units of a hinge's, by the constants of a machine.
double step_length(int freedom, const MachineConstants& machine = {});

// Gives a network that was made with Weights::kMeasured the lengths of this machine instead of the built-in ones.
void measure_lengths(const MachineConstants& machine, Network& network);

}  // namespace espalier::plan
