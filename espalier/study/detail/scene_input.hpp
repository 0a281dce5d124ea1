#pragma once

// A run of the contact engine before it begins.

#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/contact/contact.hpp"
#include "espalier/files/folder_lock.hpp"
#include "espalier/record/run_folder.hpp"
#include "espalier/study/simulation.hpp"

namespace espalier::study::detail {

// The run of a scene that can begin. Ranks other than the root have the options of the record alone.
struct SceneInput {
  contact::Scene scene;
  record::RunRecord record = record::make_record(record::RunKind::kScene);
  record::ResultLayout layout;
  contact::RunState start;
  std::string folder;      // empty: no files are written
  bool continued = false;  // the folder is there, with what was computed up to `start`
  std::size_t bodies = 0, joints = 0;
  std::vector<std::string> notes;  // what the user should know before the run
  ReaderNotes reader;
  std::optional<files::FolderLock> lock = std::nullopt;  // on the root, of a folder that is there
};

// Collective. The root alone makes the scene.
Result<SceneInput> read_scene(const comm::Comm& comm, const LoadedModel& loaded, const SimulateOptions& options);
// The same from the folder of a run.
Result<SceneInput> read_scene_again(const comm::Comm& comm, const Restart& from, const SimulateOptions& options);

}  // namespace espalier::study::detail
