#pragma once

// The measured constants of a machine as a JSON file; docs/file-formats.md lists its keys.

#include <string>

#include "espalier/base/result.hpp"
#include "espalier/plan/machine.hpp"

namespace espalier::record {

std::string machine_json(const plan::MachineConstants& machine);

// All keys must be there, each a number that is not negative. `name` is for messages.
Result<plan::MachineConstants> read_machine_text(const std::string& text, const std::string& name);
Result<plan::MachineConstants> read_machine(const std::string& path);

}  // namespace espalier::record
