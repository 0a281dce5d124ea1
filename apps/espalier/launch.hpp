#pragma once

#include <string>
#include <vector>

#include "espalier/base/result.hpp"

namespace espalier::app {

// Starts this program again under mpirun, with the words of its command less `--ranks`; comes back only where that
// fails.
Error launch(const std::vector<std::string>& command, int ranks);

}  // namespace espalier::app
