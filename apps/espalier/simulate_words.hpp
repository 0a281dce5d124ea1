#pragma once

#include "apps/espalier/commands.hpp"
#include "espalier/base/result.hpp"
#include "espalier/study/simulate.hpp"

namespace espalier::app {

// The command with its model: `simulate --csv MODEL` takes the word behind --csv for it where no other is.
SimulateCommand with_model(SimulateCommand typed);

// What the words of `simulate` ask for, its folder included. Errors: words that are unknown, or contradict each other.
Result<study::SimulateOptions> simulate_options(const SimulateCommand& command);

}  // namespace espalier::app
