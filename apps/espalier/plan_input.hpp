#pragma once

#include <optional>
#include <string>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/reader_notes.hpp"
#include "espalier/model/model.hpp"
#include "espalier/plan/mechanism.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::app {

// What `espalier plan` works on.
struct PlanInput {
  plan::Network network;
  plan::PlanOptions options;
  std::string name;     // of the model, or its file
  std::string machine;  // the file of its constants; empty: they are built in, or not asked for
  ReaderNotes reader;   // of a mechanism
  std::string open;     // why its loops cannot close; empty: they can, or it is not known
};

// Reads the file, mechanism or plain graph, and resolves the words and names of the command.
Result<PlanInput> read_plan_input(const PlanCommand& command);

// The same for a mechanism that was read already.
Result<PlanInput> make_plan_input(const PlanCommand& command, const model::Model& model,
                                  const plan::Mechanism& mechanism);

}  // namespace espalier::app
