// run.json of a scene: written and read back with the same fields.

#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "espalier/base/hash.hpp"
#include "espalier/base/text.hpp"
#include "espalier/io/contact_run.hpp"
#include "espalier/io/run_folder.hpp"

namespace espalier::io {
namespace {

using contact::Bisection;
using contact::Settings;
using contact::Solver;
using contact::Storage;
using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr int kVersion = 1;
constexpr const char* kRun = "run.json";
constexpr const char* kEngine = "contact";

template <class T>
using Words = std::pair<const char*, T>;
constexpr std::array<Words<Storage>, 2> kStorages = {
    {{"efficient", Storage::kEfficient}, {"redundant", Storage::kRedundant}}};
constexpr std::array<Words<Bisection>, 2> kBisections = {{{"own", Bisection::kOwn}, {"zoltan", Bisection::kZoltan}}};
constexpr std::array<Words<Solver>, 3> kSolvers = {
    {{"auto", Solver::kAuto}, {"gauss_seidel", Solver::kGaussSeidel}, {"newton", Solver::kNewton}}};

template <class List, class T>
const char* word_of(const List& list, T value) {
  for (const auto& [name, entry] : list) {
    if (entry == value) return name;
  }
  return "";
}

template <class T, class List>
std::optional<T> find_word(const List& list, const std::string& word) {
  for (const auto& [name, entry] : list) {
    if (word == name) return entry;
  }
  return std::nullopt;
}

ordered_json options_json(const contact::SimulateOptions& options) {
  const Settings& settings = options.settings;
  return {{"end_time", options.end_time},
          {"output_step", options.output_step},
          {"step", settings.step},
          {"tolerance", settings.solve.tolerance},
          {"solver", word(settings.solve.solver)},
          {"max_sweeps", settings.solve.max_sweeps},
          {"implicit", settings.implicit},
          {"correction", settings.correction},
          {"joint_correction", settings.joint_correction},
          {"storage", word(settings.storage)},
          {"bisection", word(settings.bisection)},
          {"balance_every", settings.balance_every}};
}

ordered_json counts_json(const SceneRecord& record) {
  return {{"frames", record.frames},           {"steps", record.steps},
          {"unconverged", record.unconverged}, {"worst_residual", record.worst_residual},
          {"sweeps", record.sweeps},           {"iterations", record.iterations},
          {"contacts", record.contacts},       {"most_contacts", record.most_contacts},
          {"penetration", record.penetration}, {"seconds", record.seconds}};
}

ordered_json to_json(const SceneRecord& record) {
  ordered_json model = {{"name", record.model_name}, {"file", record.model_file}};
  if (record.read.base) model["base"] = *record.read.base == Base::kFixed ? "fixed" : "floating";
  if (!record.read.spherical.empty()) model["spherical"] = record.read.spherical;
  model["hash"] = hash_text(record.model_hash);
  return {{"espalier_run", kVersion},      {"engine", kEngine},
          {"version", record.version},     {"command", record.command},
          {"model", std::move(model)},     {"options", options_json(record.options)},
          {"outcome", record.outcome},     {"message", record.message},
          {"time", record.time},           {"ranks", record.ranks},
          {"counts", counts_json(record)}, {"state_hash", hash_text(record.state_hash)}};
}

// A number that is not finite is written as null: it stays what it was.
template <class T>
void read(const ordered_json& json, const char* key, T& value) {
  const ordered_json& entry = json.at(key);
  if (!entry.is_null()) entry.get_to(value);
}

std::uint64_t read_hash(const ordered_json& json) { return std::stoull(json.get<std::string>(), nullptr, 16); }

void read_options(const ordered_json& json, contact::SimulateOptions& options) {
  Settings& settings = options.settings;
  read(json, "end_time", options.end_time);
  read(json, "output_step", options.output_step);
  read(json, "step", settings.step);
  read(json, "tolerance", settings.solve.tolerance);
  settings.solve.solver = find_solver(json.at("solver")).value_or(Solver::kAuto);
  read(json, "max_sweeps", settings.solve.max_sweeps);
  read(json, "implicit", settings.implicit);
  read(json, "correction", settings.correction);
  read(json, "joint_correction", settings.joint_correction);
  settings.storage = find_storage(json.at("storage")).value_or(Storage::kEfficient);
  settings.bisection = find_bisection(json.at("bisection")).value_or(Bisection::kOwn);
  read(json, "balance_every", settings.balance_every);
}

void read_counts(const ordered_json& json, SceneRecord& record) {
  read(json, "frames", record.frames);
  read(json, "steps", record.steps);
  read(json, "unconverged", record.unconverged);
  read(json, "worst_residual", record.worst_residual);
  read(json, "sweeps", record.sweeps);
  read(json, "iterations", record.iterations);
  read(json, "contacts", record.contacts);
  read(json, "most_contacts", record.most_contacts);
  read(json, "penetration", record.penetration);
  read(json, "seconds", record.seconds);
}

// Throws what nlohmann throws where a field is not there or of another type.
SceneRecord from_json(const ordered_json& json) {
  SceneRecord record;
  read(json, "version", record.version);
  read(json, "command", record.command);
  const ordered_json& model = json.at("model");
  read(model, "name", record.model_name);
  read(model, "file", record.model_file);
  if (model.contains("base")) record.read.base = model.at("base") == "fixed" ? Base::kFixed : Base::kFloating;
  record.read.spherical = model.value("spherical", "");
  record.model_hash = read_hash(model.at("hash"));
  read_options(json.at("options"), record.options);
  read(json, "outcome", record.outcome);
  read(json, "message", record.message);
  read(json, "time", record.time);
  read(json, "ranks", record.ranks);
  read_counts(json.at("counts"), record);
  record.state_hash = read_hash(json.at("state_hash"));
  return record;
}

}  // namespace

const char* word(Storage storage) { return word_of(kStorages, storage); }
const char* word(Bisection bisection) { return word_of(kBisections, bisection); }
const char* word(Solver solver) { return word_of(kSolvers, solver); }
std::optional<Storage> find_storage(const std::string& word) { return find_word<Storage>(kStorages, word); }
std::optional<Bisection> find_bisection(const std::string& word) { return find_word<Bisection>(kBisections, word); }
std::optional<Solver> find_solver(const std::string& word) { return find_word<Solver>(kSolvers, word); }

bool is_scene_folder(const fs::path& folder) {
  const Result<std::string> text = read_text_file(folder / kRun);
  if (!text) return false;
  const ordered_json json = ordered_json::parse(*text, nullptr, false);
  return json.is_object() && json.value("engine", "") == kEngine;
}

Result<SceneRecord> read_scene_run(const fs::path& folder) {
  const Where where{(folder / kRun).string(), 0, 0};
  const Result<std::string> text = read_text_file(folder / kRun);
  ESPALIER_TRY(text);
  const ordered_json json = ordered_json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains("engine") || json["engine"] != kEngine) {
    return make_error(ErrorCode::kFormat, where, "not the run.json of a scene with contact, or broken");
  }
  if (!json.contains("espalier_run") || json["espalier_run"] != kVersion) {
    return make_error(ErrorCode::kFormat, where, fmt::format("of another version; I read version {}", kVersion));
  }
  try {
    return from_json(json);
  } catch (const std::exception& problem) {
    return make_error(ErrorCode::kFormat, where, fmt::format("broken: {}", in_quotes(problem.what())));
  }
}

Result<void> write_scene_run(const fs::path& folder, const SceneRecord& record) {
  return write_text_file(folder / kRun,
                         to_json(record).dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace espalier::io
