#pragma once

#include "apps/espalier/commands.hpp"
#include "espalier/base/result.hpp"
#include "espalier/study/simulate.hpp"

namespace espalier::app {

// What the words of `simulate` ask for, its folder included. Errors: words that are unknown, or contradict each other.
Result<study::SimulateOptions> simulate_options(const SimulateCommand& command);

}  // namespace espalier::app
