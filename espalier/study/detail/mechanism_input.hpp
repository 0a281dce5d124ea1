#pragma once

// A run of the recursive engine before it begins.

#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/dynamics/start.hpp"
#include "espalier/files/folder_lock.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/record/run_folder.hpp"
#include "espalier/study/simulation.hpp"

namespace espalier::study::detail {

// A run that can begin.
struct MechanismInput {
  plan::Plan plan;
  dynamics::System system;
  dynamics::RunState start;
  record::RunRecord record;
  std::string folder;              // empty: no files are written
  bool continued = false;          // the folder is there, with what was computed up to `start`
  double gap = 0;                  // largest gap of a loop before it was closed [m]
  std::vector<std::string> notes;  // what the user should know before the run
  double setup_seconds = 0;        // from the plan to a closed start
  dynamics::Correction correction;
  ReaderNotes reader;
  std::optional<files::FolderLock> lock = std::nullopt;  // of a folder that is there
};

// Chooses or reads the plan, checks the laws, closes the loops.
Result<MechanismInput> read_mechanism(const LoadedModel& loaded, const SimulateOptions& options);
// The same from the folder of a run.
Result<MechanismInput> read_mechanism_again(const Restart& from, const SimulateOptions& options);

}  // namespace espalier::study::detail
