#pragma once

#include <optional>
#include <string>

#include "apps/espalier/simulate_run.hpp"

namespace espalier::app {

// What is known before the run: the mechanism, the tree and why it was chosen.
std::string simulate_head(const SimulateInput& input);
// What was done, how well, what was written, and the next command.
std::string simulate_text(const SimulateInput& input, const SimulateRun& run);
// The energy error as a sentence, where it is above 100 times the tolerance.
std::optional<std::string> energy_problem(const record::RunRecord& record);
// The same as one JSON document; docs/file-formats.md lists the fields.
std::string simulate_json(const SimulateInput& input, const SimulateRun& run);

}  // namespace espalier::app
