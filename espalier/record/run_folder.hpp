#pragma once

// A run on disk: run.json (what was asked and how it went), result.h5 (result_file.hpp), result.csv if asked for,
// checkpoint.bin (checkpoint.hpp). docs/file-formats.md lists the fields.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/files/folder_lock.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/record/result_file.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::record {

// What run.json says.
struct RunRecord {
  std::string command;  // as it was typed
  std::string version;  // of the program
  std::string model_file;
  formats::ReadOptions read;                 // of a URDF
  std::vector<std::string> accept;  // words of what is not read and changes the motion (model/notes.hpp)
  std::string model_name;
  std::uint64_t model_hash = 0;
  std::string keyframe;  // it started from; empty: the drawn pose
  std::string plan;      // as plan_json() writes it
  std::uint64_t plan_hash = 0;
  std::uint64_t seed = 1;             // of all that is random
  dynamics::SimulateOptions options;  // without `stop` and `on_step`
  bool csv = false;
  // How far it went. A run that goes on adds to what it had done before.
  std::string outcome = "running";  // or "done", "stopped", "failed"
  std::string message;              // of a failure
  std::string integrator;           // in use
  double time = 0;                  // reached [s]
  std::int64_t frames = 0, steps = 0, rejected = 0, evaluations = 0;
  double loop_distance = 0;  // [m]
  double loop_angle = 0;     // [rad]
  double energy_error = 0;   // [J]
  double energy_scale = 0;   // [J]
  double seconds = 0;
  std::optional<double> energy_start;  // kinetic + potential of the first frame [J]
  std::uint64_t state_hash = 0;        // of time, q and v at `time`
};

// What the model says, whatever its file's format, order of keys and comments.
Result<std::uint64_t> model_hash(const model::ModelSpec& spec);
// Root, tree joints and cut bodies.
std::uint64_t plan_hash(const plan::Plan& plan);
std::uint64_t state_hash(const dynamics::State& state);

const char* integrator_name(dynamics::Integrator integrator);  // "auto", "runge", "fixed", "implicit"
std::optional<dynamics::Integrator> find_integrator(const std::string& word);

bool is_run_folder(const std::filesystem::path& folder);
Result<RunRecord> read_run(const std::filesystem::path& folder);
Result<void> write_run(const std::filesystem::path& folder, const RunRecord& record);

// The files of a run that is under way. One thread at a time uses it.
class RunFolder {
 public:
  // Makes the folder, with a checkpoint of the start in it, and locks it. Errors: it holds a run already; another
  // process writes one there; it cannot be written.
  static Result<RunFolder> create(const std::filesystem::path& folder, const RunRecord& record,
                                  const ResultLayout& layout, const dynamics::RunState& start);
  // Goes on behind the frames that `start` has handed out and drops what comes after them. The caller has taken the
  // folder's files::FolderLock before it read `start`, and keeps it.
  static Result<RunFolder> reopen(const std::filesystem::path& folder, const RunRecord& record,
                                  const ResultLayout& layout, const dynamics::RunState& start);
  RunFolder(RunFolder&&) noexcept;
  RunFolder& operator=(RunFolder&&) noexcept;
  ~RunFolder();

  // 0: no checkpoint but at the end [s].
  void set_checkpoint_interval(double seconds);

  // Every frame, and the state after every step: frames reach the disk at least once a second, checkpoints as asked
  // for. After an error, a full disk say, only finish() may follow.
  Result<void> append(const model::Frame& frame);
  Result<void> step(const dynamics::RunState& run);
  // The last act: all frames, a checkpoint and run.json. Where frames cannot be written any more, the checkpoint is of
  // the last state all frames of which are on disk, and run.json says that the run has failed.
  Result<void> finish(const dynamics::RunState& run, RunRecord record);

  // kinetic + potential - exchanged of the first frame of a run that goes on [J].
  std::optional<double> first_balance() const;
  const std::filesystem::path& path() const;
  // Names of the files in it.
  std::vector<std::string> files() const;

 private:
  struct Parts;
  explicit RunFolder(Parts parts);

  std::unique_ptr<Parts> parts_;
};

// Errors: it holds a run already; another process writes one there; it cannot be made.
Result<files::FolderLock> make_run_folder(const std::filesystem::path& folder);
// The first of "NAME-1", "NAME-2", ... that does not exist.
std::filesystem::path new_run_folder(const std::string& name);

}  // namespace espalier::record
