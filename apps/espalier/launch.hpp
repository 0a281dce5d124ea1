#pragma once

#include <string>
#include <vector>

namespace espalier::app {

// Starts this program again under mpirun, with the words of its command less `--ranks`, waits for it and returns its
// exit code. Ctrl-C and SIGTERM go on to the ranks, as SIGUSR1 and SIGUSR2: mpirun would end them itself, with an exit
// code of its own. Where it cannot be started that is reported, with `json` as report() does.
int launch(const std::vector<std::string>& command, int ranks, bool json);

}  // namespace espalier::app
