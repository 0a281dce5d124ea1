#pragma once

#include <string>

#include "espalier/study/simulate.hpp"

namespace espalier::app {

// What went wrong, for standard error: files that could not be written, a run that failed in the model `file`, and,
// with `doubts`, steps that did not converge. Empty where all went well.
std::string problem_text(const study::SimulateAnswer& answer, const std::string& file, bool doubts);
// What continues a run where a process of it is gone.
std::string way_out_text(const std::string& folder);

}  // namespace espalier::app
