#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/reader_notes.hpp"
#include "espalier/dynamics/correction.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/record/run_folder.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::app {

// A run that can begin.
struct SimulateInput {
  plan::Plan plan;
  dynamics::System system;
  dynamics::RunState start;
  record::RunRecord record;
  std::string folder;                                 // empty: no files are written
  bool continued = false;                             // the folder is there, with what was computed up to `start`
  double gap = 0;                                     // largest gap of a loop before it was closed [m]
  std::vector<std::string> notes;                     // what the user should know before the run
  double setup_seconds = 0;                           // from the plan to a closed start
  dynamics::Correction correction;                    // of the drawing, where redundant equations disagreed by what files round off
  ReaderNotes reader;
  std::optional<files::FolderLock> lock = std::nullopt;  // of a folder that is there
};

// Reads the model unless `spec` has it, chooses or reads the plan, closes the loops; with `restart` reads the folder of
// the run instead.
Result<SimulateInput> read_simulate_input(const SimulateCommand& command,
                                          std::optional<model::ModelSpec> spec = std::nullopt);

}  // namespace espalier::app
