// run.json of a scene: written and read back with the same fields.

#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "espalier/base/hash.hpp"
#include "espalier/record/contact_run.hpp"
#include "espalier/record/detail/run_fields.hpp"

namespace espalier::record {
namespace {

using contact::Bisection;
using contact::Order;
using contact::Settings;
using contact::Solver;
using contact::Storage;
using contact::Weighing;
using detail::broken_run;
using detail::find_word;
using detail::kRunVersion;
using detail::model_json;
using detail::read_common;
using detail::read_field;
using detail::read_run_json;
using detail::word_of;
using detail::write_run_json;
using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* kEngine = "contact";

template <class T>
using Words = std::pair<const char*, T>;
constexpr std::array<Words<Storage>, 2> kStorages = {
    {{"efficient", Storage::kEfficient}, {"redundant", Storage::kRedundant}}};
constexpr std::array<Words<Bisection>, 2> kBisections = {{{"own", Bisection::kOwn}, {"zoltan", Bisection::kZoltan}}};
constexpr std::array<Words<Solver>, 3> kSolvers = {
    {{"auto", Solver::kAuto}, {"gauss_seidel", Solver::kGaussSeidel}, {"newton", Solver::kNewton}}};
constexpr std::array<Words<Order>, 2> kOrders = {{{"keys", Order::kKeys}, {"ranks", Order::kRanks}}};
constexpr std::array<Words<Weighing>, 3> kWeighings = {
    {{"measured", Weighing::kMeasured}, {"formula", Weighing::kFormula}, {"counted", Weighing::kCounted}}};

ordered_json options_json(const contact::SimulateOptions& options) {
  const Settings& settings = options.settings;
  return {{"end_time", options.run.end_time},
          {"output_step", options.run.output_step},
          {"step", settings.step},
          {"tolerance", settings.solve.tolerance},
          {"solver", word(settings.solve.solver)},
          {"order", word(settings.order)},
          {"max_sweeps", settings.solve.max_sweeps},
          {"implicit", settings.implicit},
          {"correction", settings.correction},
          {"joint_correction", settings.joint_correction},
          {"storage", word(settings.storage)},
          {"bisection", word(settings.bisection)},
          {"weighing", word(settings.weighing)},
          {"weight_factor", settings.weight_factor},
          {"balance_every", settings.balance_every},
          {"imbalance", settings.imbalance}};
}

ordered_json counts_json(const SceneRecord& record) {
  return {{"frames", record.frames},           {"steps", record.steps},
          {"unconverged", record.unconverged}, {"worst_residual", record.worst_residual},
          {"sweeps", record.sweeps},           {"iterations", record.iterations},
          {"contacts", record.contacts},       {"most_contacts", record.most_contacts},
          {"penetration", record.penetration}, {"seconds", record.seconds}};
}

ordered_json to_json(const SceneRecord& record) {
  return {{"espalier_run", kRunVersion},   {"engine", kEngine},
          {"version", record.version},     {"command", record.command},
          {"model", model_json(record)},   {"options", options_json(record.options)},
          {"outcome", record.outcome},     {"message", record.message},
          {"time", record.time},           {"ranks", record.ranks},
          {"counts", counts_json(record)}, {"state_hash", hash_text(record.state_hash)}};
}

void read_options(const ordered_json& json, contact::SimulateOptions& options) {
  Settings& settings = options.settings;
  read_field(json, "end_time", options.run.end_time);
  read_field(json, "output_step", options.run.output_step);
  read_field(json, "step", settings.step);
  read_field(json, "tolerance", settings.solve.tolerance);
  settings.solve.solver = find_solver(json.at("solver")).value_or(Solver::kAuto);
  settings.order = find_order(json.at("order")).value_or(Order::kKeys);
  read_field(json, "max_sweeps", settings.solve.max_sweeps);
  read_field(json, "implicit", settings.implicit);
  read_field(json, "correction", settings.correction);
  read_field(json, "joint_correction", settings.joint_correction);
  settings.storage = find_storage(json.at("storage")).value_or(Storage::kEfficient);
  settings.bisection = find_bisection(json.at("bisection")).value_or(Bisection::kOwn);
  settings.weighing = find_weighing(json.at("weighing")).value_or(Weighing::kMeasured);
  read_field(json, "weight_factor", settings.weight_factor);
  read_field(json, "balance_every", settings.balance_every);
  read_field(json, "imbalance", settings.imbalance);
}

void read_counts(const ordered_json& json, SceneRecord& record) {
  read_field(json, "frames", record.frames);
  read_field(json, "steps", record.steps);
  read_field(json, "unconverged", record.unconverged);
  read_field(json, "worst_residual", record.worst_residual);
  read_field(json, "sweeps", record.sweeps);
  read_field(json, "iterations", record.iterations);
  read_field(json, "contacts", record.contacts);
  read_field(json, "most_contacts", record.most_contacts);
  read_field(json, "penetration", record.penetration);
  read_field(json, "seconds", record.seconds);
}

// Throws what nlohmann throws where a field is not there or of another type.
SceneRecord from_json(const ordered_json& json) {
  SceneRecord record;
  read_common(json, record);
  read_options(json.at("options"), record.options);
  read_field(json, "ranks", record.ranks);
  read_counts(json.at("counts"), record);
  return record;
}

}  // namespace

const char* word(Storage storage) { return word_of(kStorages, storage); }
const char* word(Bisection bisection) { return word_of(kBisections, bisection); }
const char* word(Solver solver) { return word_of(kSolvers, solver); }
const char* word(Order order) { return word_of(kOrders, order); }
const char* word(Weighing weighing) { return word_of(kWeighings, weighing); }
std::optional<Storage> find_storage(const std::string& word) { return find_word<Storage>(kStorages, word); }
std::optional<Bisection> find_bisection(const std::string& word) { return find_word<Bisection>(kBisections, word); }
std::optional<Solver> find_solver(const std::string& word) { return find_word<Solver>(kSolvers, word); }
std::optional<Order> find_order(const std::string& word) { return find_word<Order>(kOrders, word); }
std::optional<Weighing> find_weighing(const std::string& word) { return find_word<Weighing>(kWeighings, word); }

bool is_scene_folder(const fs::path& folder) {
  const Result<ordered_json> json = read_run_json(folder);
  return json && json->value("engine", ordered_json()) == kEngine;
}

Result<SceneRecord> read_scene_run(const fs::path& folder) {
  const Result<ordered_json> json = read_run_json(folder);
  ESPALIER_TRY(json);
  if (json->value("engine", ordered_json()) != kEngine) return broken_run(folder, "not of a scene with contact");
  try {
    return from_json(*json);
  } catch (const std::exception& problem) {
    return broken_run(folder, problem.what());
  }
}

Result<void> write_scene_run(const fs::path& folder, const SceneRecord& record) {
  return write_run_json(folder, to_json(record));
}

}  // namespace espalier::record
