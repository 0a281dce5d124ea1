#pragma once

#include <string>
#include <vector>

namespace espalier::app {

// Starts this program again under mpirun, with the words of its command less `--ranks`, waits for it and returns its
// exit code. Ctrl-C, SIGTERM and SIGHUP go on to the ranks, as SIGUSR1 and SIGUSR2, whenever they come: mpirun would
// end the ranks itself, with an exit code of its own; a second one lets it. What the ranks print is printed. Where it
// cannot be started, or `ranks` is not a number from 1 to what this machine bears, that is reported, with `json` as
// report() does.
int launch(const std::vector<std::string>& command, int ranks, bool json);

}  // namespace espalier::app
