#pragma once

#include <optional>

#include "apps/espalier/simulate_input.hpp"

namespace espalier::app {

struct SimulateRun {
  dynamics::RunStatus status;
  record::RunRecord record;  // how it went, with what was done before a restart
  std::vector<std::string> files;
  std::vector<std::string> notes;  // what the user should know of the run, once it is done
  std::optional<Error> problem;    // files could not be written
  int signal = 0;                  // that stopped it; 0: none
  double start_time = 0;           // [s]
};

// Runs with a progress line on standard error, and writes the folder of the run. Ctrl-C ends it after the step in work;
// a second one ends the program. The error: the folder cannot be made.
Result<SimulateRun> run_simulation(const SimulateInput& input, const SimulateCommand& command);

}  // namespace espalier::app
