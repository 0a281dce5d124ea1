// run.json: written and read back with the same fields.

#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "espalier/base/hash.hpp"
#include "espalier/base/text.hpp"
#include "espalier/io/run_folder.hpp"

namespace espalier::io {
namespace {

using dynamics::Integrator;
using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr int kVersion = 1;
constexpr const char* kRun = "run.json";
constexpr std::array<std::pair<const char*, Integrator>, 4> kIntegrators = {{{"auto", Integrator::kAuto},
                                                                             {"runge", Integrator::kRunge},
                                                                             {"fixed", Integrator::kFixed},
                                                                             {"implicit", Integrator::kImplicit}}};

ordered_json options_json(const RunRecord& record) {
  const dynamics::SimulateOptions& options = record.options;
  return {{"end_time", options.end_time},
          {"output_step", options.output_step},
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
  ordered_json model = {{"name", record.model_name}, {"file", record.model_file}};
  if (record.read.base) model["base"] = *record.read.base == Base::kFixed ? "fixed" : "floating";
  if (!record.read.spherical.empty()) model["spherical"] = record.read.spherical;
  model["hash"] = hash_text(record.model_hash);
  return {{"espalier_run", kVersion},
          {"version", record.version},
          {"command", record.command},
          {"model", std::move(model)},
          {"options", options_json(record)},
          {"seed", record.seed},
          {"outcome", record.outcome},
          {"message", record.message},
          {"integrator", record.integrator},
          {"time", record.time},
          {"counts", counts_json(record)},
          {"state_hash", hash_text(record.state_hash)},
          {"plan_hash", hash_text(record.plan_hash)},
          {"plan", ordered_json::parse(record.plan, nullptr, false)}};
}

// A number that is not finite is written as null: it stays what it was.
template <class T>
void read(const ordered_json& json, const char* key, T& value) {
  const ordered_json& entry = json.at(key);
  if (!entry.is_null()) entry.get_to(value);
}

std::uint64_t read_hash(const ordered_json& json) { return std::stoull(json.get<std::string>(), nullptr, 16); }

void read_options(const ordered_json& json, RunRecord& record) {
  dynamics::SimulateOptions& options = record.options;
  read(json, "end_time", options.end_time);
  read(json, "output_step", options.output_step);
  options.integrator = find_integrator(json.at("integrator")).value_or(Integrator::kAuto);
  read(json, "tolerance", options.tolerance);
  read(json, "step", options.step);
  read(json, "loop_tolerance", options.loop_tolerance);
  read(json, "max_steps", options.max_steps);
  read(json, "threads", options.threads);
  read(json, "keyframe", record.keyframe);
  read(json, "csv", record.csv);
}

void read_counts(const ordered_json& json, RunRecord& record) {
  read(json, "frames", record.frames);
  read(json, "steps", record.steps);
  read(json, "rejected", record.rejected);
  read(json, "evaluations", record.evaluations);
  read(json, "loop_distance", record.loop_distance);
  read(json, "loop_angle", record.loop_angle);
  read(json, "energy_error", record.energy_error);
  read(json, "energy_scale", record.energy_scale);
  if (json.at("energy_start").is_number()) record.energy_start = json["energy_start"].get<double>();
  read(json, "seconds", record.seconds);
}

// Throws what nlohmann throws where a field is not there or of another type.
RunRecord from_json(const ordered_json& json) {
  RunRecord record;
  read(json, "version", record.version);
  read(json, "command", record.command);
  const ordered_json& model = json.at("model");
  read(model, "name", record.model_name);
  read(model, "file", record.model_file);
  if (model.contains("base")) record.read.base = model.at("base") == "fixed" ? Base::kFixed : Base::kFloating;
  record.read.spherical = model.value("spherical", "");
  record.model_hash = read_hash(model.at("hash"));
  read_options(json.at("options"), record);
  read(json, "seed", record.seed);
  read(json, "outcome", record.outcome);
  read(json, "message", record.message);
  read(json, "integrator", record.integrator);
  read(json, "time", record.time);
  read_counts(json.at("counts"), record);
  record.state_hash = read_hash(json.at("state_hash"));
  record.plan_hash = read_hash(json.at("plan_hash"));
  record.plan = json.at("plan").dump(1, ' ', false, ordered_json::error_handler_t::replace);
  return record;
}

}  // namespace

const char* integrator_name(Integrator integrator) {
  for (const auto& [name, value] : kIntegrators) {
    if (value == integrator) return name;
  }
  return "";
}

std::optional<Integrator> find_integrator(const std::string& word) {
  for (const auto& [name, value] : kIntegrators) {
    if (word == name) return value;
  }
  return std::nullopt;
}

bool is_run_folder(const fs::path& folder) {
  std::error_code code;
  return fs::exists(folder / kRun, code);
}

Result<RunRecord> read_run(const fs::path& folder) {
  const Where where{(folder / kRun).string(), 0, 0};
  if (!is_run_folder(folder)) {
    return make_error(ErrorCode::kFile, {folder.string(), 0, 0},
                      "holds no run (there is no run.json in it); name the folder that espalier simulate wrote");
  }
  const Result<std::string> text = read_text_file(folder / kRun);
  ESPALIER_TRY(text);
  const ordered_json json = ordered_json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains("espalier_run")) {
    return make_error(ErrorCode::kFormat, where, "not a run.json of espalier simulate, or broken");
  }
  if (json["espalier_run"] != kVersion) {
    return make_error(ErrorCode::kFormat, where, fmt::format("of another version; I read version {}", kVersion));
  }
  try {
    return from_json(json);
  } catch (const std::exception& problem) {
    return make_error(ErrorCode::kFormat, where, fmt::format("broken: {}", in_quotes(problem.what())));
  }
}

Result<void> write_run(const fs::path& folder, const RunRecord& record) {
  return write_text_file(folder / kRun,
                         to_json(record).dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace espalier::io
