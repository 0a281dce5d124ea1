#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/espalier/contact_input.hpp"
#include "espalier/comm/comm.hpp"

namespace espalier::app {

struct ContactRun {
  contact::RunStatus status;
  record::SceneRecord record;  // how it went, with what was done before a restart; on the root
  std::vector<std::string> files;
  std::optional<Error> problem;  // files could not be written
  int signal = 0;                // that stopped it; 0: none
  double start_time = 0;         // [s]
};

// Collective. Runs with a progress line on standard error, and writes the folder of the run on the root. Ctrl-C ends it
// after the step in work; a second one ends the program. Takes the scene out of `input`. The error: the folder cannot
// be made.
Result<ContactRun> run_contact(const comm::Comm& comm, ContactInput& input, const SimulateCommand& command);

// Collective. The verb simulate where the contact engine moves the bodies: reads, runs and, on the root, prints.
// Returns the exit code. On the root `spec` may hold the model.
int run_simulate_contact(const comm::Comm& comm, const SimulateCommand& command, std::optional<model::ModelSpec> spec);

}  // namespace espalier::app
