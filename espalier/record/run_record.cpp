#include "espalier/record/run_record.hpp"

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/record/detail/run_fields.hpp"
#include "espalier/record/detail/run_json.hpp"

namespace espalier::record {
namespace {

using detail::FieldReader;
using detail::FieldWriter;
using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* kRecursive = "recursive";
constexpr const char* kContact = "contact";
constexpr Words<formats::Base, 2> kBases = {
    {{"fixed", formats::Base::kFixed}, {"floating", formats::Base::kFloating}}};

// To be written where it is constant, else to be read.
template <class Part, class T>
concept Either = std::same_as<std::remove_const_t<Part>, T>;

// Which model a run is of, and how its file was read. What was not asked for is left out: a restart then reads the
// model by the same defaults.
void list_model(const auto& fields, Either<RunRecord> auto& record) {
  fields.value("name", record.model_name);
  fields.value("file", record.model_file);
  fields.word("base", record.read.base, kBases);
  fields.unless_empty("spherical", record.read.spherical);
  fields.unless_empty("accept", record.accept);
  // A restart with another model would go on from a state that means something else.
  fields.hash("hash", record.model_hash);
}

void list_options(const auto& fields, Either<dynamics::SimulateOptions> auto& options) {
  fields.word("integrator", options.integrator);
  fields.value("tolerance", options.tolerance);
  fields.value("step", options.step);
  fields.value("loop_tolerance", options.loop_tolerance);
  fields.value("max_steps", options.max_steps);
  fields.value("threads", options.threads);
}

void list_counts(const auto& fields, Either<MechanismPart> auto& part) {
  fields.value("rejected", part.rejected);
  fields.value("evaluations", part.evaluations);
  fields.value("loop_distance", part.loop_distance);
  fields.value("loop_angle", part.loop_angle);
  fields.value("energy_error", part.energy_error);
  fields.value("energy_scale", part.energy_scale);
  // null before the first frame: 0 J would be a statement.
  fields.value("energy_start", part.energy_start);
}

void list_engine(const auto& fields, Either<MechanismPart> auto& part) {
  fields.constant("name", kRecursive);
  fields.group("options", [&](const auto& asked) { list_options(asked, part.options); });
  fields.value("seed", part.seed);
  fields.value("integrator", part.integrator);
  fields.group("counts", [&](const auto& counts) { list_counts(counts, part); });
  // The state is that of the tree: on another tree its coordinates would be others.
  fields.hash("plan_hash", part.plan_hash);
}

void list_options(const auto& fields, Either<contact::Settings> auto& settings) {
  fields.value("step", settings.step);
  fields.value("tolerance", settings.solve.tolerance);
  fields.word("solver", settings.solve.solver);
  fields.word("order", settings.order);
  fields.value("max_sweeps", settings.solve.max_sweeps);
  fields.value("implicit", settings.implicit);
  fields.value("correction", settings.correction);
  fields.value("joint_correction", settings.joint_correction);
  fields.word("storage", settings.storage);
  fields.word("bisection", settings.bisection);
  fields.word("weighing", settings.weighing);
  fields.value("weight_factor", settings.weight_factor);
  fields.value("balance_every", settings.balance_every);
  fields.value("imbalance", settings.imbalance);
}

void list_counts(const auto& fields, Either<ScenePart> auto& part) {
  fields.value("unconverged", part.unconverged);
  fields.value("worst_residual", part.worst_residual);
  fields.value("sweeps", part.sweeps);
  fields.value("iterations", part.iterations);
  fields.value("contacts", part.contacts);
  fields.value("most_contacts", part.most_contacts);
  fields.value("penetration", part.penetration);
}

void list_engine(const auto& fields, Either<ScenePart> auto& part) {
  fields.constant("name", kContact);
  fields.group("options", [&](const auto& asked) { list_options(asked, part.options.settings); });
  // For the reader alone: a restart may have any number of them.
  fields.value("ranks", part.ranks);
  fields.group("counts", [&](const auto& counts) { list_counts(counts, part); });
}

// What was asked of either engine.
void list_options(const auto& fields, Either<RunRecord> auto& record) {
  auto& options = record.options();
  fields.value("end_time", options.end_time);
  fields.value("output_step", options.output_step);
  fields.value("keyframe", record.keyframe);
  fields.value("csv", record.csv);
  fields.unless_empty("quantities", record.quantities);
}

void list_run(const auto& fields, Either<RunRecord> auto& record) {
  fields.constant("espalier_run", detail::kRunVersion);
  fields.value("version", record.version);
  fields.value("command", record.command);
  fields.group("model", [&](const auto& model) { list_model(model, record); });
  fields.group("options", [&](const auto& asked) { list_options(asked, record); });
  // A run that is under way, or was killed, has the word for no outcome.
  fields.word("outcome", record.outcome, model::outcome_word(std::nullopt));
  fields.value("message", record.message);
  fields.value("time", record.time);
  fields.group("counts", [&](const auto& counts) {
    counts.value("frames", record.frames);
    counts.value("steps", record.steps);
    counts.value("seconds", record.seconds);
  });
  fields.hash("state_hash", record.state_hash);
  fields.group("engine", [&](const auto& engine) {
    std::visit([&](auto& part) { list_engine(engine, part); }, record.engine);
  });
  // A text here; write_run_json() puts it in as the JSON it is.
  if (record.kind() == RunKind::kMechanism) fields.value("plan", record.mechanism().plan);
}

ordered_json to_json(const RunRecord& record) {
  ordered_json json = ordered_json::object();
  // In the order of the list, which is that of the file.
  list_run(FieldWriter(json), record);
  return json;
}

// Throws where a field is not there or not sound.
RunRecord from_json(const ordered_json& json) {
  // First of all: the other fields belong to the engine that is set here.
  RunRecord record = make_record(json.at("engine").at("name") == kContact ? RunKind::kScene : RunKind::kMechanism);
  list_run(FieldReader(json), record);
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
  // The engine decides which parts there are, and is set once.
  RunRecord record;
  if (kind == RunKind::kScene) record.engine = ScenePart();
  return record;
}

Result<std::uint64_t> model_hash(const model::ModelSpec& spec) {
  // The written form and not the file: comments and the order of keys change nothing of what is computed.
  // Of tables the numbers count, and neither the name nor the place of their files.
  model::ModelSpec placeless = spec;
  for (model::TableSpec& table : placeless.tables) table.file = "table.csv";
  const Result<formats::WrittenModel> written = formats::write_model(placeless, formats::Format::kNative);
  ESPALIER_TRY(written);
  Hash hash;
  hash.add(std::string_view(written->text));
  for (const model::TableSpec& table : spec.tables) hash.add(table.rows->argument).add(table.rows->value);
  return hash.value();
}

std::uint64_t plan_hash(const plan::Plan& plan) {
  // What decides the order of coordinates, and nothing else: cost and proof may change with the program.
  Hash hash;
  // Roots first: the same joints hung from another body are another tree.
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
  // The record as a whole: a reader meets the old file or the new one.
  return detail::write_run_json(folder, to_json(record));
}

}  // namespace espalier::record
