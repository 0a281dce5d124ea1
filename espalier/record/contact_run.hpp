#pragma once

// The run of a scene with contact on disk: run.json, result.h5 (contact_result.hpp) and checkpoint.bin, as
// run_folder.hpp has them for mechanisms. Only the root of the ranks writes. docs/file-formats.md lists the fields.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/contact/contact.hpp"
#include "espalier/record/contact_result.hpp"
#include "espalier/files/folder_lock.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/model/model.hpp"

namespace espalier::record {

// What run.json says.
struct SceneRecord {
  std::string command;  // as it was typed
  std::string version;  // of the program
  std::string model_file;
  formats::ReadOptions read;
  std::vector<std::string> accept;  // words of what is not read and changes the motion (model/notes.hpp)
  std::string model_name;
  std::uint64_t model_hash = 0;
  contact::SimulateOptions options;  // without what is called back
  // How far it went. A run that goes on adds to what it had done before.
  std::string outcome = "running";  // or "done", "stopped", "failed"
  std::string message;              // of a failure
  double time = 0;                  // reached [s]
  std::int64_t frames = 0, steps = 0, unconverged = 0, sweeps = 0, iterations = 0;
  double worst_residual = 0;            // of a step
  int contacts = 0, most_contacts = 0;  // in the last step, and in the one with most
  double penetration = 0;               // largest [m]
  double seconds = 0;
  int ranks = 1;                 // of the last part
  std::uint64_t state_hash = 0;  // of time, bodies and reactions
};

SceneLayout make_layout(const model::Model& model);
std::uint64_t state_hash(const contact::RunState& state);

// Whether the folder holds the run of a scene; false where it holds no run at all.
bool is_scene_folder(const std::filesystem::path& folder);
Result<SceneRecord> read_scene_run(const std::filesystem::path& folder);
Result<void> write_scene_run(const std::filesystem::path& folder, const SceneRecord& record);

struct SceneCheckpoint {
  std::uint64_t model_hash = 0;
  contact::RunState run;
};
// Binary, as checkpoint.hpp has it: whenever the program ends, the old or the new one is whole, with the one before.
Result<void> write_scene_checkpoint(const std::filesystem::path& path, const SceneCheckpoint& checkpoint);
Result<SceneCheckpoint> read_scene_checkpoint(const std::filesystem::path& path);

const char* word(contact::Storage storage);      // "efficient", "redundant"
const char* word(contact::Bisection bisection);  // "own", "zoltan"
const char* word(contact::Solver solver);        // "auto", "gauss_seidel", "newton"
const char* word(contact::Order order);          // "keys", "ranks"
const char* word(contact::Weighing weighing);    // "measured", "formula", "counted"
std::optional<contact::Storage> find_storage(const std::string& word);
std::optional<contact::Bisection> find_bisection(const std::string& word);
std::optional<contact::Solver> find_solver(const std::string& word);
std::optional<contact::Order> find_order(const std::string& word);
std::optional<contact::Weighing> find_weighing(const std::string& word);

// The files of a run that is under way. One thread at a time uses it.
class SceneFolder {
 public:
  // Makes the folder, with a checkpoint of the start in it, and locks it. Errors: it holds a run already; another
  // process writes one there; it cannot be written.
  static Result<SceneFolder> create(const std::filesystem::path& folder, const SceneRecord& record,
                                    const SceneLayout& layout, const contact::RunState& start);
  // Goes on behind the frames that `start` has handed out and drops what comes after them. The caller has taken the
  // folder's files::FolderLock before it read `start`, and keeps it.
  static Result<SceneFolder> reopen(const std::filesystem::path& folder, const SceneRecord& record,
                                    const SceneLayout& layout, const contact::RunState& start);

  // Frames reach the disk at least once a second and before every checkpoint.
  Result<void> append(const model::Frame& frame);
  Result<void> save(const contact::RunState& run);
  // The last act: all frames, a checkpoint of `run` unless something could not be written before, and run.json, which
  // says that the run has failed where one of them could not be written.
  Result<void> finish(const contact::RunState& run, SceneRecord record);

  std::vector<std::string> files() const;

 private:
  SceneFolder(std::filesystem::path path, std::uint64_t model_hash, SceneWriter result);

  std::filesystem::path path_;
  std::uint64_t model_hash_ = 0;
  SceneWriter result_;
  std::chrono::steady_clock::time_point last_rows_ = std::chrono::steady_clock::now();
  bool broken_ = false;  // something could not be written: states from here on may be ahead of the frames
  std::optional<files::FolderLock> lock_;
};

}  // namespace espalier::record
