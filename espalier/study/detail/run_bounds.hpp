#pragma once

// Numbers of a run that no run can have, whoever gives them: the options, or the run.json of a run that continues.

#include <string>

#include "espalier/base/result.hpp"
#include "espalier/contact/contact.hpp"
#include "espalier/dynamics/dynamics.hpp"

namespace espalier::study::detail {

// `file` is the run.json they come from; empty: they are options. `time` is where the run
// begins [s].
Result<void> check_bounds(const dynamics::SimulateOptions& options, double time, const std::string& file);
Result<void> check_bounds(const contact::SimulateOptions& options, double time, const std::string& file);

}  // namespace espalier::study::detail
