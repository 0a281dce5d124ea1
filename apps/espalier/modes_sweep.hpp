#pragma once

#include "apps/espalier/commands.hpp"
#include "espalier/comm/comm.hpp"

namespace espalier::app {

// modes --vary: frequencies and damping over a number of the model. Collective. Returns the exit code.
int run_mode_sweep(const comm::Comm& comm, const ModesCommand& command);

}  // namespace espalier::app
