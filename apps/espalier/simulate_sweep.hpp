#pragma once

#include "apps/espalier/commands.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/study/simulate.hpp"

namespace espalier::app {

// Collective. simulate --sweep and --vary: many runs, on many threads and ranks. Returns the exit code.
int run_sweep(const comm::Comm& comm, const SimulateCommand& command, const study::SimulateOptions& run);

}  // namespace espalier::app
