#pragma once

// Numbers of a run that no run can have, whoever gives them: the command line, or the run.json of a run that goes on.

#include <string>

#include "espalier/base/result.hpp"
#include "espalier/contact/contact.hpp"
#include "espalier/dynamics/dynamics.hpp"

namespace espalier::app {

// `file` is the run.json they come from; empty: they were typed, and messages name the options. `time` is where the run
// begins [s].
Result<void> check_bounds(const dynamics::SimulateOptions& options, double time, const std::string& file);
Result<void> check_bounds(const contact::SimulateOptions& options, double time, const std::string& file);

}  // namespace espalier::app
