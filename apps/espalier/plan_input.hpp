#pragma once

#include <optional>
#include <string>

#include "apps/espalier/commands.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::app {

// What `espalier plan` works on.
struct PlanInput {
  plan::Network network;
  plan::PlanOptions options;
  std::string name;     // of the model, or its file
  std::string machine;  // the file of its constants; empty: they are built in, or not asked for
};

// Reads the file, mechanism or plain graph, and resolves the words and names of the command.
Result<PlanInput> read_plan_input(const PlanCommand& command);

}  // namespace espalier::app
