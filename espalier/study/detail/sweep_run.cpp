#include "espalier/study/detail/sweep_run.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/dynamics/batch.hpp"
#include "espalier/dynamics/start.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/record/run_folder.hpp"
#include "espalier/study/detail/prepare_variant.hpp"

namespace espalier::study::detail {
namespace {

namespace fs = std::filesystem;

// What a line keeps of the last frame.
// A copy, since a frame only refers to numbers of the engine that the next one overwrites.
struct LastFrame {
  explicit LastFrame(const model::Frame& frame)
      : energies{frame.kinetic, frame.potential, frame.exchanged},
        joint_position(frame.joint_position.begin(), frame.joint_position.end()),
        joint_velocity(frame.joint_velocity.begin(), frame.joint_velocity.end()) {}

  std::array<double, 3> energies;  // kinetic, potential, exchanged [J]
  std::vector<double> joint_position, joint_velocity;
};

// What a line says of a run.
// Kept apart from its text, because run folders need the numbers themselves.
struct Line {
  std::string outcome, message;
  dynamics::RunStatus status;
  std::optional<LastFrame> last;
  std::optional<record::Summary> summary;  // of the chosen quantities; none: refused
};

std::string line_text(const SweepJob& job, std::int64_t run, const std::vector<formats::FieldValue>& values,
                      const Line& line) {
  // Lines of runs that went differently have the same columns, so that a table can be read without looking at outcomes.
  std::string text = std::to_string(run);
  const auto add = [&](const std::string& word) {
    text += ',';
    text += files::csv_field(word);
  };
  // With all digits: a run of the table can be repeated from its line alone.
  for (const formats::FieldValue& value : values) add(number_text(value.value));
  add(line.outcome);
  add(line.message);
  // A run that was refused has empty cells, and no zeros.
  const bool ran = line.last.has_value();
  const dynamics::RunStatus& status = line.status;
  add(ran ? number_text(status.end.state.time) : "");
  add(ran ? std::to_string(status.steps) : "");
  for (const double number : {status.loop_distance, status.energy_error, status.energy_scale}) {
    add(ran ? number_text(number) : "");
  }
  for (std::size_t k = 0; k < 3; ++k) add(ran ? number_text(line.last->energies[k]) : "");
  // Neither seconds nor ranks: the table is compared byte for byte.
  add(ran ? hash_text(record::state_hash(status.end.state)) : "");
  const auto add_columns = [&](std::vector<double> LastFrame::*numbers, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) add(ran ? number_text(((*line.last).*numbers)[k]) : "");
  };
  add_columns(&LastFrame::joint_position, job.layout.joint_position.size());
  add_columns(&LastFrame::joint_velocity, job.layout.joint_velocity.size());
  for (std::size_t k = 0; k < job.selection.columns().size(); ++k) {
    for (const auto numbers : {&record::Summary::least, &record::Summary::largest, &record::Summary::end}) {
      add(ran ? number_text(((*line.summary).*numbers)()[k]) : "");
    }
  }
  return text + "\n";
}

// No line is written of a run that was stopped.
// A failed run has a line, a stopped one is computed again.
model::Outcome outcome_of(const dynamics::RunStatus& status) {
  return status.outcome == model::Outcome::kDone ? model::Outcome::kDone : model::Outcome::kFailed;
}

Result<record::RunFolder> make_folder(const SweepJob& job, std::int64_t run, const model::ModelSpec& spec,
                                      const dynamics::System& system, const dynamics::RunState& start,
                                      record::RunRecord& record) {
  const Result<std::uint64_t> hash = record::model_hash(spec);
  ESPALIER_TRY(hash);
  // The model with this run's numbers, so that its folder can be continued like any other.
  const fs::path folder = folder_of_run(job, run);
  const Result<formats::WrittenModel> written =
      formats::write_model(spec, formats::Format::kNative, {.folder = folder});
  ESPALIER_TRY(written);
  std::error_code code;
  record.version = ESPALIER_VERSION;
  record.model_file = fs::absolute(folder / "model.yaml", code).lexically_normal().string();
  record.model_name = system.model().name;
  record.model_hash = *hash;
  record.keyframe = job.options.keyframe;
  record.accept = job.options.accept;
  record.csv = job.options.csv;
  record.quantities = job.options.quantities;
  record::MechanismPart& part = record.mechanism();
  part.plan = job.plan_document;
  part.plan_hash = record::plan_hash(job.plan);
  part.seed = job.sweep.seed;
  part.options = job.options.simulate;
  // What a program that was killed has left of this run is begun anew.
  fs::remove_all(folder, code);
  // The model before the record that refers to it.
  const Result<void> saved = files::write_text_file(folder / "model.yaml", written->text);
  ESPALIER_TRY(saved);
  return record::RunFolder::create(folder, record, record::make_layout(system), start);
}

// Frames leave no trace in a trajectory: where they are not kept, one at the end is enough.
dynamics::SimulateOptions run_options(const SweepJob& job) {
  dynamics::SimulateOptions options = job.options.simulate;
  // Before the output step changes: the step of a fixed integrator comes from the one that was asked for.
  if (!(options.step > 0)) options.step = options.run.output_step / 10;
  // Least and largest values are those of the frames that a single run would hand out.
  const bool sees_frames = job.options.keep_frames || !job.selection.columns().empty();
  if (!sees_frames) options.run.output_step = options.run.end_time;
  // The sweep spreads runs over threads, and not one run over several.
  options.threads = 1;
  options.run.stop = job.options.stop;
  return options;
}

// A sweep has no run that continues, so that nothing is added to what was before.
void fill_record(const Line& line, record::RunRecord& record) {
  const dynamics::RunStatus& status = line.status;
  record.outcome = outcome_of(status);
  record.message = line.message;
  record.time = status.end.state.time;
  record.frames = status.end.outputs;
  record.steps = status.steps;
  record.seconds = status.seconds;
  record.state_hash = record::state_hash(status.end.state);
  record::MechanismPart& part = record.mechanism();
  part.integrator = word_of(status.end.integrator);
  part.rejected = status.rejected;
  part.evaluations = status.evaluations;
  part.loop_distance = status.loop_distance;
  part.loop_angle = status.loop_angle;
  part.energy_error = status.energy_error;
  part.energy_scale = status.energy_scale;
}

// A run that is ready to start, or was refused.
// On the heap, one by one: sinks and folders refer to it, so that it must not move.
struct Ready {
  std::int64_t run = 0;
  std::vector<formats::FieldValue> values;
  std::optional<dynamics::System> system;  // none: refused
  dynamics::RunState start;
  record::RunRecord record;
  std::optional<record::RunFolder> folder;  // where frames are kept
  Line line;
  std::optional<Error> problem;  // the folder cannot be written
};

model::Sink sink_of(Ready& ready) {
  // By reference: run_lines() keeps each Ready in its place on the heap until the runs are over.
  return [&ready](const model::Frame& frame) {
    // Each frame replaces the one before; what stays is the last.
    ready.line.last.emplace(frame);
    ready.line.summary->see(frame);
    const Result<void> written = ready.folder ? ready.folder->append(frame) : Result<void>();
    if (!written) ready.problem = written.error();
    // False ends this run alone, and the sweep with it in end_run().
    return written.has_value();
  };
}

// The line of a run that has ended.
Result<std::string> end_run(const SweepJob& job, dynamics::RunStatus status, Ready& ready) {
  // Files that cannot be written are an error of the sweep, not the outcome of a run.
  if (ready.problem) return tl::unexpected(*ready.problem);
  Line& line = ready.line;
  line.status = std::move(status);
  line.outcome = word_of(outcome_of(line.status));
  line.message = line.status.message;
  if (ready.folder) {
    fill_record(line, ready.record);
    const Result<void> finished = ready.folder->finish(line.status.resume, ready.record);
    ESPALIER_TRY(finished);
  }
  // Without a line the block stays undone, and the run is computed again.
  if (line.status.outcome == model::Outcome::kStopped) return std::string();
  return line_text(job, ready.run, ready.values, line);
}

// A word of the reader without its place: the place is in a model that nobody has written down.
Line refused(const Error& error) { return {"refused", error.message, {}, {}, {}}; }

// Error: its folder cannot be written.
// (1) The numbers of the run; (2) the model with them; (3) its closed start and its laws; (4) its folder.
Result<std::unique_ptr<Ready>> make_ready(const SweepJob& job, std::int64_t run) {
  auto ready = std::make_unique<Ready>();
  ready->run = run;
  // (1) A function of seed and run: the same run has the same numbers, whoever computes it.
  ready->values = formats::sample(job.sweep, run);
  // Numbers that make no model are a result: the sweep continues, and the line says why.
  const auto refuse = [&](const Error& error) {
    ready->line = refused(error);
    ready->system.reset();
    return std::move(ready);
  };
  // (2) Each variant is compiled again: a number may change masses, limits or whether a joint is blocked.
  const Result<model::ModelSpec> spec = job.model.with(ready->values);
  if (!spec) return refuse(spec.error());
  const Result<model::Model> model = model::compile(*spec);
  if (!model) return refuse(model.error());
  // (3) On the plan of all runs, so that they have the same coordinates and columns.
  Result<dynamics::Prepared> prepared = prepare_variant(*model, job.plan, job.options.keyframe);
  if (!prepared) return refuse(prepared.error());
  ready->start = dynamics::start_run(prepared->system, prepared->start.state);
  ready->system = std::move(prepared->system);
  ready->line.summary.emplace(job.selection);
  // (4) A folder that cannot be made is an error of the sweep, not of the run.
  if (job.options.keep_frames) {
    Result<record::RunFolder> folder = make_folder(job, run, *spec, *ready->system, ready->start, ready->record);
    ESPALIER_TRY(folder);
    ready->folder = *std::move(folder);
  }
  return ready;
}

// Two values that a parameter may take, different ones where it has them.
// Two samples of each parameter show what it touches; its other values touch the same.
std::pair<double, double> two_values(const formats::SweepParameter& parameter) {
  if (parameter.kind == formats::SweepParameter::Kind::kUniform) return {parameter.low, parameter.high};
  if (parameter.kind == formats::SweepParameter::Kind::kNormal) return {parameter.low, parameter.low + parameter.high};
  const double first = parameter.values.front();
  const auto other =
      std::find_if(parameter.values.begin(), parameter.values.end(), [&](double value) { return value != first; });
  return {first, other == parameter.values.end() ? first : *other};
}

// What is left of the model without all that says how a run starts; nothing where these numbers make no model.
std::optional<std::string> text_without_start(const formats::ModelVariants& model,
                                              const std::vector<formats::FieldValue>& values) {
  Result<model::ModelSpec> spec = model.with(values);
  if (!spec) return std::nullopt;
  // A start is where it begins and how fast; all else of the model ends up in the System.
  for (model::JointSpec& joint : spec->joints) joint.velocity.clear();
  for (model::BodySpec& body : spec->bodies) body.velocity.reset();
  // What acts in a keyframe is no start.
  for (model::KeyframeSpec& keyframe : spec->keyframes) keyframe.positions.clear();
  const Result<formats::WrittenModel> written = formats::write_model(*spec, formats::Format::kNative);
  return written ? std::optional(written->text) : std::nullopt;
}

}  // namespace

fs::path folder_of_run(const SweepJob& job, std::int64_t run) {
  return job.options.folder / "runs" / fmt::format("{:06}", run);
}

std::vector<std::string> table_columns(const SweepJob& job) {
  std::vector<std::string> columns = {"run"};
  for (const formats::SweepParameter& parameter : job.sweep.parameters) columns.push_back(parameter.path);
  for (const char* name : {"outcome", "message", "time", "steps", "loop_distance", "energy_error", "energy_scale",
                           "kinetic", "potential", "exchanged", "state_hash"}) {
    columns.emplace_back(name);
  }
  // The word in front tells positions from velocities, since both are named by joints.
  for (const record::Column& column : job.layout.joint_position) columns.push_back("position " + column.name);
  for (const record::Column& column : job.layout.joint_velocity) columns.push_back("velocity " + column.name);
  for (const record::Column& column : job.selection.columns()) {
    for (const char* word : {"least ", "largest ", "end "}) columns.push_back(word + record::column_head(column));
  }
  return columns;
}

std::string table_head(const SweepJob& job) {
  std::string text;
  for (const std::string& column : table_columns(job)) text += (text.empty() ? "" : ",") + files::csv_field(column);
  return text + "\n";
}

bool varies_starts_alone(const formats::ModelVariants& model, const formats::Sweep& sweep) {
  // All parameters at once: one that changes more than starts shows whatever the others do.
  std::vector<formats::FieldValue> some, other;
  for (const formats::SweepParameter& parameter : sweep.parameters) {
    const auto [one, two] = two_values(parameter);
    some.push_back({parameter.path, one});
    other.push_back({parameter.path, two});
  }
  // Equal texts: one system serves all runs, which are then computed in lanes.
  const std::optional<std::string> text = text_without_start(model, some);
  return text && text == text_without_start(model, other);
}

std::int64_t runs_at_once(const SweepJob& job) { return job.starts_alone ? dynamics::kBatch : 1; }

// (1) Make every run of the group ready; (2) start those that were not refused, together; (3) their lines, in order.
Result<std::vector<std::string>> run_lines(const SweepJob& job, std::int64_t first, std::int64_t end) {
  // (1) All of the group, also those that are refused: each has a line.
  std::vector<std::unique_ptr<Ready>> runs;
  for (std::int64_t run = first; run < end; ++run) {
    Result<std::unique_ptr<Ready>> ready = make_ready(job, run);
    ESPALIER_TRY(ready);
    runs.push_back(*std::move(ready));
  }
  // (2) Three lists side by side, as the engine takes them.
  std::vector<Ready*> started;
  std::vector<dynamics::RunState> starts;
  std::vector<model::Sink> sinks;
  for (const std::unique_ptr<Ready>& ready : runs) {
    if (!ready->system) continue;
    started.push_back(ready.get());
    starts.push_back(ready->start);
    sinks.push_back(sink_of(*ready));
  }
  std::vector<dynamics::RunStatus> statuses;
  // The first one's system serves all: there are several only where nothing else than starts is varied.
  if (!started.empty()) statuses = dynamics::simulate_batch(*started.front()->system, starts, sinks, run_options(job));
  // (3) In the order of the runs, whichever of them were started.
  std::vector<std::string> lines(runs.size());
  // A run that was refused has no status: `place` counts those that were started.
  for (std::size_t k = 0, place = 0; k < runs.size(); ++k) {
    if (!runs[k]->system) {
      lines[k] = line_text(job, runs[k]->run, runs[k]->values, runs[k]->line);
      continue;
    }
    Result<std::string> line = end_run(job, std::move(statuses[place++]), *runs[k]);
    ESPALIER_TRY(line);
    lines[k] = *std::move(line);
  }
  return lines;
}

}  // namespace espalier::study::detail
