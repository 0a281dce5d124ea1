#pragma once

#include "espalier/base/result.hpp"
#include "espalier/study/detail/mechanism_input.hpp"

namespace espalier::study::detail {

// Runs it on this process and writes the folder of the run. The error: the folder cannot be made.
Result<SimulateAnswer> run_mechanism(MechanismInput input, const SimulateOptions& options);

}  // namespace espalier::study::detail
