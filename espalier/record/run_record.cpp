#include "espalier/record/run_record.hpp"

#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/record/detail/run_json.hpp"

namespace espalier::record {
namespace {

using detail::read_field;
using detail::read_hash;
using detail::read_word;
using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* kRecursive = "recursive";
constexpr const char* kContact = "contact";

// Which model a run is of, and how its file was read.
ordered_json model_json(const RunRecord& record) {
  ordered_json model = {{"name", record.model_name}, {"file", record.model_file}};
  // What was not asked for is left out: a restart then reads the model by the same defaults.
  if (record.read.base) model["base"] = *record.read.base == formats::Base::kFixed ? "fixed" : "floating";
  if (!record.read.spherical.empty()) model["spherical"] = record.read.spherical;
  if (!record.accept.empty()) model["accept"] = record.accept;
  model["hash"] = hash_text(record.model_hash);
  return model;
}

ordered_json engine_json(const MechanismPart& part) {
  const dynamics::SimulateOptions& options = part.options;
  return {{"name", kRecursive},
          {"options",
           {{"integrator", word_of(options.integrator)},
            {"tolerance", options.tolerance},
            {"step", options.step},
            {"loop_tolerance", options.loop_tolerance},
            {"max_steps", options.max_steps},
            {"threads", options.threads}}},
          {"seed", part.seed},
          {"integrator", part.integrator},
          {"counts",
           {{"rejected", part.rejected},
            {"evaluations", part.evaluations},
            {"loop_distance", part.loop_distance},
            {"loop_angle", part.loop_angle},
            {"energy_error", part.energy_error},
            {"energy_scale", part.energy_scale},
            // null before the first frame: 0 J would be a statement.
            {"energy_start", part.energy_start ? ordered_json(*part.energy_start) : ordered_json()}}},
          {"plan_hash", hash_text(part.plan_hash)}};
}

ordered_json engine_json(const ScenePart& part) {
  const contact::Settings& settings = part.options.settings;
  return {{"name", kContact},
          {"options",
           {{"step", settings.step},
            {"tolerance", settings.solve.tolerance},
            {"solver", word_of(settings.solve.solver)},
            {"order", word_of(settings.order)},
            {"max_sweeps", settings.solve.max_sweeps},
            {"implicit", settings.implicit},
            {"correction", settings.correction},
            {"joint_correction", settings.joint_correction},
            {"storage", word_of(settings.storage)},
            {"bisection", word_of(settings.bisection)},
            {"weighing", word_of(settings.weighing)},
            {"weight_factor", settings.weight_factor},
            {"balance_every", settings.balance_every},
            {"imbalance", settings.imbalance}}},
          {"ranks", part.ranks},
          {"counts",
           {{"unconverged", part.unconverged},
            {"worst_residual", part.worst_residual},
            {"sweeps", part.sweeps},
            {"iterations", part.iterations},
            {"contacts", part.contacts},
            {"most_contacts", part.most_contacts},
            {"penetration", part.penetration}}}};
}

ordered_json to_json(const RunRecord& record) {
  const model::RunOptions& options = record.options();
  ordered_json json = {{"espalier_run", detail::kRunVersion},
                       {"version", record.version},
                       {"command", record.command},
                       {"model", model_json(record)},
                       {"options",
                        {{"end_time", options.end_time},
                         {"output_step", options.output_step},
                         {"keyframe", record.keyframe},
                         {"csv", record.csv}}},
                       {"outcome", model::outcome_word(record.outcome)},
                       {"message", record.message},
                       {"time", record.time},
                       {"counts", {{"frames", record.frames}, {"steps", record.steps}, {"seconds", record.seconds}}},
                       {"state_hash", hash_text(record.state_hash)},
                       {"engine", std::visit([](const auto& part) { return engine_json(part); }, record.engine)}};
  // A text here; write_run_json() puts it in as the JSON it is.
  if (record.kind() == RunKind::kMechanism) json["plan"] = record.mechanism().plan;
  return json;
}

// All below throws what nlohmann throws where a field is not there or of another type.
void read_model(const ordered_json& model, RunRecord& record) {
  read_field(model, "name", record.model_name);
  read_field(model, "file", record.model_file);
  if (model.contains("base")) {
    record.read.base = model.at("base") == "fixed" ? formats::Base::kFixed : formats::Base::kFloating;
  }
  record.read.spherical = model.value("spherical", "");
  record.accept = model.value("accept", std::vector<std::string>());
  // A text, since a JSON number keeps 53 bits of 64.
  record.model_hash = read_hash(model.at("hash"));
}

void read_engine(const ordered_json& json, MechanismPart& part) {
  const ordered_json& asked = json.at("options");
  read_word(asked, "integrator", part.options.integrator);
  read_field(asked, "tolerance", part.options.tolerance);
  read_field(asked, "step", part.options.step);
  read_field(asked, "loop_tolerance", part.options.loop_tolerance);
  read_field(asked, "max_steps", part.options.max_steps);
  read_field(asked, "threads", part.options.threads);
  read_field(json, "seed", part.seed);
  read_field(json, "integrator", part.integrator);
  const ordered_json& counts = json.at("counts");
  read_field(counts, "rejected", part.rejected);
  read_field(counts, "evaluations", part.evaluations);
  read_field(counts, "loop_distance", part.loop_distance);
  read_field(counts, "loop_angle", part.loop_angle);
  read_field(counts, "energy_error", part.energy_error);
  read_field(counts, "energy_scale", part.energy_scale);
  // null where the run has shown no frame.
  if (counts.at("energy_start").is_number()) part.energy_start = counts["energy_start"].get<double>();
  part.plan_hash = read_hash(json.at("plan_hash"));
}

void read_engine(const ordered_json& json, ScenePart& part) {
  const ordered_json& asked = json.at("options");
  contact::Settings& settings = part.options.settings;
  read_field(asked, "step", settings.step);
  read_field(asked, "tolerance", settings.solve.tolerance);
  read_word(asked, "solver", settings.solve.solver);
  read_word(asked, "order", settings.order);
  read_field(asked, "max_sweeps", settings.solve.max_sweeps);
  read_field(asked, "implicit", settings.implicit);
  read_field(asked, "correction", settings.correction);
  read_field(asked, "joint_correction", settings.joint_correction);
  read_word(asked, "storage", settings.storage);
  read_word(asked, "bisection", settings.bisection);
  read_word(asked, "weighing", settings.weighing);
  read_field(asked, "weight_factor", settings.weight_factor);
  read_field(asked, "balance_every", settings.balance_every);
  read_field(asked, "imbalance", settings.imbalance);
  read_field(json, "ranks", part.ranks);
  const ordered_json& counts = json.at("counts");
  read_field(counts, "unconverged", part.unconverged);
  read_field(counts, "worst_residual", part.worst_residual);
  read_field(counts, "sweeps", part.sweeps);
  read_field(counts, "iterations", part.iterations);
  read_field(counts, "contacts", part.contacts);
  read_field(counts, "most_contacts", part.most_contacts);
  read_field(counts, "penetration", part.penetration);
}

RunRecord from_json(const ordered_json& json) {
  RunRecord record;
  read_field(json, "version", record.version);
  read_field(json, "command", record.command);
  read_model(json.at("model"), record);
  const ordered_json& engine = json.at("engine");
  // First of all: record.options() below are those of the engine that is set here.
  if (engine.at("name") == kContact) record.engine = ScenePart();
  const ordered_json& asked = json.at("options");
  read_field(asked, "end_time", record.options().end_time);
  read_field(asked, "output_step", record.options().output_step);
  read_field(asked, "keyframe", record.keyframe);
  read_field(asked, "csv", record.csv);
  // A run that is under way, or was killed, has the word for no outcome.
  if (json.at("outcome") != model::outcome_word(std::nullopt)) read_word(json, "outcome", record.outcome.emplace());
  read_field(json, "message", record.message);
  read_field(json, "time", record.time);
  const ordered_json& counts = json.at("counts");
  read_field(counts, "frames", record.frames);
  read_field(counts, "steps", record.steps);
  read_field(counts, "seconds", record.seconds);
  record.state_hash = read_hash(json.at("state_hash"));
  std::visit([&](auto& part) { read_engine(engine, part); }, record.engine);
  if (record.kind() == RunKind::kMechanism) read_field(json, "plan", record.mechanism().plan);
  return record;
}

}  // namespace

const model::RunOptions& RunRecord::options() const {
  return std::visit([](const auto& part) -> const model::RunOptions& { return part.options.run; }, engine);
}
model::RunOptions& RunRecord::options() {
  return std::visit([](auto& part) -> model::RunOptions& { return part.options.run; }, engine);
}

RunRecord make_record(RunKind kind) {
  RunRecord record;
  if (kind == RunKind::kScene) record.engine = ScenePart();
  return record;
}

Result<std::uint64_t> model_hash(const model::ModelSpec& spec) {
  // The written form and not the file: comments and the order of keys change nothing of what is computed.
  const Result<formats::WrittenModel> written = formats::write_model(spec, formats::Format::kNative);
  ESPALIER_TRY(written);
  return Hash().add(std::string_view(written->text)).value();
}

std::uint64_t plan_hash(const plan::Plan& plan) {
  // What decides the order of coordinates, and nothing else: cost and proof may change with the program.
  Hash hash;
  for (const int root : plan.roots) hash.add(std::int64_t{root});
  for (const int edge : plan.tree.parent_edge) hash.add(std::int64_t{edge});
  for (const plan::HalfBody& half : plan.half_bodies) hash.add(std::int64_t{half.edge}).add(std::int64_t{half.other});
  return hash.value();
}

bool is_run_folder(const fs::path& folder) {
  std::error_code code;
  // The last file that a new run writes: where it is, there is something to continue from.
  return fs::exists(folder / detail::kRunFile, code);
}

Result<RunRecord> read_run(const fs::path& folder) {
  const Result<ordered_json> json = detail::read_run_json(folder);
  ESPALIER_TRY(json);
  try {
    return from_json(*json);
  } catch (const std::exception& problem) {
    return make_error(ErrorCode::kFormat, {(folder / detail::kRunFile).string(), 0, 0},
                      fmt::format("broken: {}", in_quotes(problem.what())));
  }
}

Result<void> write_run(const fs::path& folder, const RunRecord& record) {
  return detail::write_run_json(folder, to_json(record));
}

}  // namespace espalier::record
