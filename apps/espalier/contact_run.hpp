#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/espalier/contact_input.hpp"
#include "espalier/comm/comm.hpp"

namespace espalier::app {

struct ContactRun {
  contact::RunStatus status;
  io::SceneRecord record;  // how it went, with what was done before a restart; on the root
  std::vector<std::string> files;
  std::optional<Error> problem;  // files could not be written
  int signal = 0;                // that stopped it: SIGINT or SIGTERM
  double start_time = 0;         // [s]
};

// Collective. Runs with a progress line on standard error, and writes the folder of the run on the root. Ctrl-C ends it
// after the step in work; a second one ends the program. The error: the folder cannot be made.
Result<ContactRun> run_contact(const comm::Comm& comm, const ContactInput& input, const SimulateCommand& command);

}  // namespace espalier::app
