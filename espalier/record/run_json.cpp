// run.json: written and read back with the same fields.

#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "espalier/base/hash.hpp"
#include "espalier/record/detail/run_fields.hpp"
#include "espalier/record/run_folder.hpp"

namespace espalier::record {
namespace {

using detail::broken_run;
using detail::find_word;
using detail::kRunVersion;
using detail::model_json;
using detail::read_common;
using detail::read_field;
using detail::read_hash;
using detail::read_run_json;
using detail::word_of;
using detail::write_run_json;
using dynamics::Integrator;
using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::array<std::pair<const char*, Integrator>, 4> kIntegrators = {{{"auto", Integrator::kAuto},
                                                                             {"runge", Integrator::kRunge},
                                                                             {"fixed", Integrator::kFixed},
                                                                             {"implicit", Integrator::kImplicit}}};

ordered_json options_json(const RunRecord& record) {
  const dynamics::SimulateOptions& options = record.options;
  return {{"end_time", options.run.end_time},
          {"output_step", options.run.output_step},
          {"integrator", integrator_name(options.integrator)},
          {"tolerance", options.tolerance},
          {"step", options.step},
          {"loop_tolerance", options.loop_tolerance},
          {"max_steps", options.max_steps},
          {"threads", options.threads},
          {"keyframe", record.keyframe},
          {"csv", record.csv}};
}

ordered_json counts_json(const RunRecord& record) {
  return {{"frames", record.frames},
          {"steps", record.steps},
          {"rejected", record.rejected},
          {"evaluations", record.evaluations},
          {"loop_distance", record.loop_distance},
          {"loop_angle", record.loop_angle},
          {"energy_error", record.energy_error},
          {"energy_scale", record.energy_scale},
          {"energy_start", record.energy_start ? ordered_json(*record.energy_start) : ordered_json()},
          {"seconds", record.seconds}};
}

ordered_json to_json(const RunRecord& record) {
  return {{"espalier_run", kRunVersion},
          {"version", record.version},
          {"command", record.command},
          {"model", model_json(record)},
          {"options", options_json(record)},
          {"seed", record.seed},
          {"outcome", record.outcome},
          {"message", record.message},
          {"integrator", record.integrator},
          {"time", record.time},
          {"counts", counts_json(record)},
          {"state_hash", hash_text(record.state_hash)},
          {"plan_hash", hash_text(record.plan_hash)},
          {"plan", record.plan}};
}

void read_options(const ordered_json& json, RunRecord& record) {
  dynamics::SimulateOptions& options = record.options;
  read_field(json, "end_time", options.run.end_time);
  read_field(json, "output_step", options.run.output_step);
  options.integrator = find_integrator(json.at("integrator")).value_or(Integrator::kAuto);
  read_field(json, "tolerance", options.tolerance);
  read_field(json, "step", options.step);
  read_field(json, "loop_tolerance", options.loop_tolerance);
  read_field(json, "max_steps", options.max_steps);
  read_field(json, "threads", options.threads);
  read_field(json, "keyframe", record.keyframe);
  read_field(json, "csv", record.csv);
}

void read_counts(const ordered_json& json, RunRecord& record) {
  read_field(json, "frames", record.frames);
  read_field(json, "steps", record.steps);
  read_field(json, "rejected", record.rejected);
  read_field(json, "evaluations", record.evaluations);
  read_field(json, "loop_distance", record.loop_distance);
  read_field(json, "loop_angle", record.loop_angle);
  read_field(json, "energy_error", record.energy_error);
  read_field(json, "energy_scale", record.energy_scale);
  if (json.at("energy_start").is_number()) record.energy_start = json["energy_start"].get<double>();
  read_field(json, "seconds", record.seconds);
}

// Throws what nlohmann throws where a field is not there or of another type.
RunRecord from_json(const ordered_json& json) {
  RunRecord record;
  read_common(json, record);
  read_options(json.at("options"), record);
  read_field(json, "seed", record.seed);
  read_field(json, "integrator", record.integrator);
  read_counts(json.at("counts"), record);
  record.plan_hash = read_hash(json.at("plan_hash"));
  read_field(json, "plan", record.plan);
  return record;
}

}  // namespace

const char* integrator_name(Integrator integrator) { return word_of(kIntegrators, integrator); }
std::optional<Integrator> find_integrator(const std::string& word) { return find_word<Integrator>(kIntegrators, word); }

bool is_run_folder(const fs::path& folder) {
  std::error_code code;
  return fs::exists(folder / "run.json", code);
}

Result<RunRecord> read_run(const fs::path& folder) {
  const Result<ordered_json> json = read_run_json(folder);
  ESPALIER_TRY(json);
  try {
    return from_json(*json);
  } catch (const std::exception& problem) {
    return broken_run(folder, problem.what());
  }
}

Result<void> write_run(const fs::path& folder, const RunRecord& record) {
  return write_run_json(folder, to_json(record));
}

}  // namespace espalier::record
