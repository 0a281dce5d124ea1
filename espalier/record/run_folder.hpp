#pragma once

// A run on disk: run.json (run_record.hpp), result.h5 (result_file.hpp), result.csv if asked for, checkpoint.bin. Of a
// run on several ranks the root alone writes.
//   In:   RunRecord, frames, and the state after a step
//   Out:  RunFolder, the folder of a run that is under way; Checkpoint, from which a run continues
// Read next: docs/formats/run-folder.md, the files and their fields.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/contact/contact.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/files/folder_lock.hpp"
#include "espalier/model/run.hpp"
#include "espalier/record/result_file.hpp"
#include "espalier/record/run_record.hpp"

namespace espalier::record {

// All an engine needs to continue: of a mechanism, or of a scene with contact.
using RunState = std::variant<dynamics::RunState, contact::RunState>;

RunKind kind_of(const RunState& state);
// Frames handed out so far.
std::int64_t outputs_of(const RunState& state);
double time_of(const RunState& state);  // [s]
// Of every bit of the motion: a mechanism's time, q and v; a scene's time, bodies and reactions.
std::uint64_t state_hash(const dynamics::State& state);
std::uint64_t state_hash(const contact::RunState& state);

// A run that can be continued: all bits of its state, and what it belongs to.
struct Checkpoint {
  std::uint64_t model_hash = 0;
  std::uint64_t plan_hash = 0;  // of a mechanism
  RunState run;
};

// Binary, little endian, with a sum over all bytes at its end (files/sealed_file.hpp); docs/formats/ has the table.
// Whenever the program or the machine ends, the old or the new checkpoint is whole; the one before stays beside it.
Result<void> write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
// Errors: damaged, or the checkpoint of something else than a run through time.
Result<Checkpoint> read_checkpoint(const std::filesystem::path& path);

// The files of a run that is under way, of a mechanism or of a scene: record, layout and states are all of one kind.
// One thread at a time uses it.
class RunFolder {
 public:
  // Makes the folder, with a checkpoint of the start in it, and locks it. Errors: it holds a run already; another
  // process writes one there; it cannot be written.
  static Result<RunFolder> create(const std::filesystem::path& folder, const RunRecord& record,
                                  const ResultLayout& layout, const RunState& start);
  // Goes on behind the frames that `start` has handed out and drops what comes after them. The caller has taken the
  // folder's files::FolderLock before it read `start`, and keeps it.
  static Result<RunFolder> reopen(const std::filesystem::path& folder, const RunRecord& record,
                                  const ResultLayout& layout, const RunState& start);
  RunFolder(RunFolder&&) noexcept;
  RunFolder& operator=(RunFolder&&) noexcept;
  ~RunFolder();

  // Between two checkpoints of step(), of wall time [s]; 0: none but at the end.
  void set_checkpoint_interval(double seconds);

  // Every frame; frames reach the disk at least once a second. After an error, a full disk say, only finish() may
  // follow.
  Result<void> append(const model::Frame& frame);
  // The state after a step, of an engine that tells it after every one: a checkpoint where one is due.
  Result<void> step(const dynamics::RunState& state);
  // A checkpoint now, with all frames before it.
  Result<void> save(const RunState& state);
  // The last act: all frames, a checkpoint and run.json. Where frames cannot be written any more, the checkpoint is of
  // the last state all frames of which are on disk, and run.json says that the run has failed.
  Result<void> finish(const RunState& state, RunRecord record);

  // kinetic + potential - exchanged of the first frame of a mechanism's run that goes on [J].
  std::optional<double> first_balance() const;
  const std::filesystem::path& path() const;
  // Names of the files in it.
  std::vector<std::string> files() const;

 private:
  struct Parts;
  explicit RunFolder(Parts parts);

  std::unique_ptr<Parts> parts_;
};

// Where a run keeps its checkpoint.
std::filesystem::path checkpoint_of(const std::filesystem::path& folder);
// The first of "NAME-1", "NAME-2", ... that does not exist.
std::filesystem::path new_run_folder(const std::string& name);

}  // namespace espalier::record
