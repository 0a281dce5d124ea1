#pragma once

// run.json: what a run was asked for and how it went. docs/formats/ lists the fields.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/contact/contact.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/model/run.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/record/result_file.hpp"

namespace espalier::record {

// What is known of a mechanism on its tree alone. A run that goes on adds to what it had done before.
struct MechanismPart {
  dynamics::SimulateOptions options;  // without `stop` and `on_step`
  std::uint64_t seed = 1;             // of all that is random
  std::string plan;                   // as plan_json() writes it
  std::uint64_t plan_hash = 0;
  std::string integrator;  // in use
  std::int64_t rejected = 0, evaluations = 0;
  double loop_distance = 0;            // [m]
  double loop_angle = 0;               // [rad]
  double energy_error = 0;             // [J]
  double energy_scale = 0;             // [J]
  std::optional<double> energy_start;  // kinetic + potential of the first frame [J]
};

// The same of a scene with contact.
struct ScenePart {
  contact::SimulateOptions options;  // without what is called back
  std::int64_t unconverged = 0, sweeps = 0, iterations = 0;
  double worst_residual = 0;            // of a step
  int contacts = 0, most_contacts = 0;  // in the last step, and in the one with most
  double penetration = 0;               // largest [m]
  int ranks = 1;                        // of the last part
};

struct RunRecord {
  std::string command;  // as it was typed
  std::string version;  // of the program
  std::string model_file;
  formats::ReadOptions read;
  std::vector<std::string> accept;  // words of what is not read and changes the motion (model/notes.hpp)
  std::string model_name;
  std::uint64_t model_hash = 0;
  std::string keyframe;  // it started from; empty: the drawn pose
  bool csv = false;
  std::string quantities;  // columns of the table, as Selection::choose() takes them; empty: the usual ones
  // How far it went. A run that goes on adds to what it had done before.
  std::optional<model::Outcome> outcome;  // none: it is running, or was killed
  std::string message;                    // of a failure
  double time = 0;                        // reached [s]
  std::int64_t frames = 0, steps = 0;
  double seconds = 0;
  std::uint64_t state_hash = 0;  // of all bits of the motion at `time` (run_folder.hpp)
  std::variant<MechanismPart, ScenePart> engine;

  RunKind kind() const { return engine.index() == 0 ? RunKind::kMechanism : RunKind::kScene; }
  const model::RunOptions& options() const;
  model::RunOptions& options();
  // The parts of the engines; each for a record of its kind alone.
  const MechanismPart& mechanism() const { return std::get<MechanismPart>(engine); }
  MechanismPart& mechanism() { return std::get<MechanismPart>(engine); }
  const ScenePart& scene() const { return std::get<ScenePart>(engine); }
  ScenePart& scene() { return std::get<ScenePart>(engine); }
};

// An empty one of a mechanism or of a scene.
RunRecord make_record(RunKind kind);

// What the model says, whatever its file's format, order of keys and comments.
Result<std::uint64_t> model_hash(const model::ModelSpec& spec);
// Root, tree joints and cut bodies.
std::uint64_t plan_hash(const plan::Plan& plan);

bool is_run_folder(const std::filesystem::path& folder);
// Errors: the folder holds no run, or one of a version that is not known; run.json is damaged.
Result<RunRecord> read_run(const std::filesystem::path& folder);
Result<void> write_run(const std::filesystem::path& folder, const RunRecord& record);

}  // namespace espalier::record
