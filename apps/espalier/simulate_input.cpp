#include "apps/espalier/simulate_input.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "apps/espalier/plan_words.hpp"
#include "apps/espalier/run_bounds.hpp"
#include "apps/espalier/simulate_options.hpp"
#include "apps/espalier/simulate_tree.hpp"
#include "espalier/base/text.hpp"
#include "espalier/dynamics/check_laws.hpp"
#include "espalier/dynamics/run_tree.hpp"
#include "espalier/dynamics/start.hpp"
#include "espalier/dynamics/start_notes.hpp"
#include "espalier/record/checkpoint.hpp"
#include "espalier/files/checkpoint_file.hpp"
#include "espalier/record/plan_file.hpp"
#include "espalier/study/closing.hpp"

namespace espalier::app {
namespace {

namespace fs = std::filesystem;
using dynamics::SimulateOptions;

Result<void> check_words(const SimulateCommand& command) {
  const bool sweeps = !command.sweep.empty() || !command.vary.empty();
  if (command.engine == "contact") {
    return bad_option(sweeps ? "--engine contact makes single runs; leave --sweep and --vary out"
                             : "--restart: the run in that folder was not made by the contact engine; leave --engine "
                               "out");
  }
  if (command.storage || command.bisection || command.weights || command.solver || command.order) {
    return bad_option(
        "--storage, --bisection, --weights, --solver and --order are for scenes with contact; leave them out");
  }
  if (command.engine != "auto" && command.engine != "recursive") {
    return bad_option(
        fmt::format("--engine {} is unknown; it is one of auto, recursive, contact", in_quotes(command.engine)));
  }
  if (command.no_files && (!command.output.empty() || command.csv || command.checkpoint_every)) {
    return bad_option("--no-files and -o, --csv or --checkpoint-every contradict each other; leave one out");
  }
  if (!sweeps && (command.runs || command.seed || command.frames || command.ranks != 1)) {
    return bad_option(
        "--runs, --seed, --frames and --ranks are for many runs (--ranks for scenes with contact too); say with --vary "
        "or --sweep what varies");
  }
  return check_model_named(command);
}

Result<SimulateOptions> read_options(const SimulateCommand& command) {
  SimulateOptions options;
  options.run.end_time = command.end.value_or(options.run.end_time);
  options.run.output_step = command.output_step.value_or(options.run.output_step);
  options.tolerance = command.tolerance.value_or(options.tolerance);
  options.loop_tolerance = command.loop_tolerance.value_or(options.loop_tolerance);
  options.step = command.step.value_or(options.step);
  options.threads = command.threads.value_or(options.threads);
  if (command.integrator) {
    const std::optional<dynamics::Integrator> integrator = record::find_integrator(*command.integrator);
    if (!integrator) {
      const std::vector<std::string> known = {"auto", "runge", "fixed", "implicit"};
      return bad_option(fmt::format("--integrator {} is unknown; it is one of auto, runge, fixed, implicit{}",
                                    in_quotes(*command.integrator), did_you_mean(*command.integrator, known)));
    }
    options.integrator = *integrator;
  }
  if (command.step && options.integrator != dynamics::Integrator::kFixed) {
    return bad_option("--step is for --integrator fixed; the others choose their steps by --tolerance");
  }
  const Result<void> bounded = check_bounds(options, 0, "");
  ESPALIER_TRY(bounded);
  return options;
}

// What would change the answer if it were passed over.
Result<void> check_model(const SimulateCommand& command, const model::Model& model) {
  if (model.contact && model.contact->on && command.engine == "auto") {
    return make_error(ErrorCode::kUnsupported, {command.model, 0, 0},
                      "the model has a `contact` section, and many runs are not made with contact yet; --engine "
                      "recursive moves the bodies through each other");
  }
  return {};
}

struct ReadModel {
  model::Model model;
  plan::Mechanism mechanism;
  std::uint64_t hash = 0;
  ReaderNotes reader;
};

Result<ReadModel> read_mechanism(const SimulateCommand& command, std::optional<model::ModelSpec> known) {
  const Result<model::ModelSpec> spec = known ? *std::move(known) : formats::read_model(command.model, command.read);
  ESPALIER_TRY(spec);
  Result<ReaderNotes> reader = study::reader_notes(command.model, spec->notes, model::Use::kMotion, command.accept);
  ESPALIER_TRY(reader);
  Result<model::Model> model = model::compile(*spec);
  ESPALIER_TRY(model);
  const Result<void> checked = check_model(command, *model);
  ESPALIER_TRY(checked);
  const Result<std::uint64_t> hash = record::model_hash(*spec);
  ESPALIER_TRY(hash);
  plan::Mechanism mechanism = plan::make_mechanism(*model);
  return ReadModel{*std::move(model), std::move(mechanism), *hash, *std::move(reader)};
}

Result<plan::Plan> choose_plan(const SimulateCommand& command, const ReadModel& read) {
  PlanCommand words;
  words.model = command.model;
  words.objective = command.objective;
  words.root = command.root;
  words.beta = command.beta.value_or(words.beta);
  if (command.plan.empty()) {
    const Result<study::PlanningOptions> options = planning_options(words);
    ESPALIER_TRY(options);
    return study::plan_for_run(read.model, read.mechanism, *options);
  }
  if (command.beta || command.objective != SimulateCommand().objective || command.root != words.root) {
    return bad_option("--plan brings its tree along; leave --objective, --beta and --root out");
  }
  return record::read_plan(command.plan, plan::make_network(read.model, read.mechanism, plan::Weights::kLiu));
}

std::string sentence(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ".";
}

// The tree that the run is computed on, its laws checked, and what is to be said about both.
Result<void> set_system(const ReadModel& read, const plan::Plan& plan, SimulateInput& input) {
  dynamics::RunTree tree = dynamics::make_run_tree(read.model, read.mechanism, plan);
  input.plan = std::move(tree.plan);
  input.system = dynamics::make_system(read.model, read.mechanism, input.plan);
  const Result<std::vector<model::Note>> laws = dynamics::check_laws(input.system);
  ESPALIER_TRY(laws);
  for (const dynamics::KeptJoint& kept : tree.kept) {
    input.notes.push_back(sentence(dynamics::kept_text(input.system.model, kept)));
  }
  for (const model::Note& note : *laws) input.notes.push_back(sentence(note.message));
  return {};
}

Result<const model::Keyframe*> find_keyframe(const model::Model& model, const std::string& name) {
  std::vector<std::string> names;
  for (const model::Keyframe& keyframe : model.keyframes) {
    if (keyframe.name == name) return &keyframe;
    names.push_back(keyframe.name);
  }
  return make_error(ErrorCode::kName, {},
                    names.empty() ? fmt::format("--keyframe {}: the model has no keyframes", in_quotes(name))
                                  : fmt::format("--keyframe: no keyframe is called {}{}", in_quotes(name),
                                                did_you_mean(name, names)));
}

std::string gap_text(const dynamics::JointGap& gap) {
  return gap.distance > 0 ? fmt::format("{:.2g} m", gap.distance) : fmt::format("{:.2g} rad", gap.angle);
}

// "0.01 m at 'C'".
std::string gap_at(const model::Model& model, const dynamics::JointGap& gap) {
  return gap_text(gap) + " at " + (gap.joint.valid() ? in_quotes(model.joint(gap.joint).name) : "a body cut in two");
}

std::string velocity_note(const model::Model& model, const dynamics::VelocityFit& fit) {
  const dynamics::VelocityChange& worst = fit.changed.front();
  const std::string owner = worst.joint.valid() ? "joint " + in_quotes(model.joint(worst.joint).name)
                                                : "body " + in_quotes(model.body(worst.body).name);
  return fmt::format("The loops do not allow {} of the velocities given: {} starts with {:.4g} instead of {:.4g}.",
                     fit.changed.size(), owner, worst.taken, worst.given);
}

// What is odd about the run is said before it is looked for in the result.
void add_start_notes(SimulateInput& input) {
  for (model::Finding& finding : dynamics::start_notes(input.system, input.start.state.time, input.start.state.q)) {
    input.notes.push_back(sentence(std::move(finding.message)));
  }
}

double outside(const dynamics::LimitBreak& limit) {
  return std::max(limit.low - limit.value, limit.value - limit.high);
}

// Limits push like stiff springs: a start far outside them lets go of energy that nobody meant to put in.
std::string limit_note(const model::Model& model, const std::vector<dynamics::LimitBreak>& limits) {
  const dynamics::LimitBreak& worst =
      *std::max_element(limits.begin(), limits.end(),
                        [](const auto& first, const auto& second) { return outside(first) < outside(second); });
  std::string note = fmt::format(
      "The start is outside the limits of {}, which push back: joint {} stands at {:.4g}, its limits are [{:.4g}, "
      "{:.4g}].",
      counted(limits.size(), "coordinate"), in_quotes(model.joint(worst.joint).name), worst.value, worst.low,
      worst.high);
  if (!model.keyframes.empty()) note += fmt::format(" --keyframe {} starts elsewhere.", model.keyframes.front().name);
  return note;
}

// Closes the loops and fits the velocities; where loops stay open, the mechanism cannot be what was meant.
Result<void> set_start(const SimulateCommand& command, const ReadModel& read, const model::Keyframe* keyframe,
                       SimulateInput& input) {
  dynamics::StartOptions options;
  options.keyframe = keyframe;
  dynamics::Prepared prepared = dynamics::prepare(read.model, read.mechanism, input.plan, options);
  input.system = std::move(prepared.system);
  input.correction = std::move(prepared.correction);
  const dynamics::Start& start = prepared.start;
  const model::Model& model = input.system.model;
  const dynamics::Assembly& assembly = start.assembly;
  if (const std::optional<Error> error = study::locked_by_rounding(model, input.correction, assembly)) {
    return tl::unexpected(*error);
  }
  if (assembly.outcome == dynamics::Assembly::Outcome::kOpen) {
    return tl::unexpected(Error{ErrorCode::kTopology,
                                fmt::format("the loops do not close: {} is left",
                                            gap_at(model, assembly.after.front())),
                                {command.model, 0, 0},
                                "keyframe",
                                "`espalier check` shows all gaps" + study::ball_hint(model)});
  }
  if (!assembly.moved.empty()) {
    input.notes.push_back(fmt::format("The loops were open by {}; {} moved to close them.",
                                      gap_at(model, assembly.before.front()), counted(assembly.moved.size(), "joint")));
  }
  const std::string correction = study::correction_text(model, input.correction);
  if (!correction.empty()) input.notes.push_back(correction + ".");
  if (!assembly.limits.empty()) input.notes.push_back(limit_note(model, assembly.limits));
  if (!start.velocity.changed.empty()) input.notes.push_back(velocity_note(model, start.velocity));
  input.gap = assembly.before.empty() ? 0 : assembly.before.front().distance;
  input.start = dynamics::start_run(input.system, start.state);
  return {};
}

Result<void> make_record(const SimulateCommand& command, const ReadModel& read, SimulateOptions options,
                         SimulateInput& input) {
  const Result<std::string> document =
      record::plan_json(input.plan, record::PlanDocument{.file = command.model, .machine = {}});
  ESPALIER_TRY(document);
  record::RunRecord& record = input.record;
  begin_record(command, read.model.name, read.hash, record);
  record.accept = read.reader.accepted;
  record.keyframe = command.keyframe;
  record.plan = *document;
  record.plan_hash = record::plan_hash(input.plan);
  record.options = std::move(options);
  record.csv = command.csv;
  return {};
}

Result<SimulateInput> read_new(const SimulateCommand& command, std::optional<model::ModelSpec> spec) {
  Result<SimulateOptions> options = read_options(command);
  ESPALIER_TRY(options);
  Result<ReadModel> read = read_mechanism(command, std::move(spec));
  ESPALIER_TRY(read);
  Result<plan::Plan> plan = choose_plan(command, *read);
  ESPALIER_TRY(plan);
  const auto planned = std::chrono::steady_clock::now();
  SimulateInput input;
  input.reader = read->reader;
  const Result<void> made = set_system(*read, *plan, input);
  ESPALIER_TRY(made);
  const model::Keyframe* keyframe = nullptr;
  if (!command.keyframe.empty()) {
    const Result<const model::Keyframe*> found = find_keyframe(read->model, command.keyframe);
    ESPALIER_TRY(found);
    keyframe = *found;
  }
  const Result<void> closed = set_start(command, *read, keyframe, input);
  ESPALIER_TRY(closed);
  input.setup_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - planned).count();
  add_start_notes(input);
  std::string other_tree =
      tree_difference(command, read->model, read->mechanism, input.plan,
                      dynamics::options_for_run(read->model, read->mechanism, {}).pin);
  if (!other_tree.empty()) input.notes.push_back(std::move(other_tree));
  const Result<void> recorded = make_record(command, *read, *std::move(options), input);
  ESPALIER_TRY(recorded);
  input.folder = folder_of(command);
  return input;
}

// A run that goes on is the run that was begun: of its options only the end and the threads may change.
Result<void> check_restart(const SimulateCommand& command) {
  const bool words = command.objective != SimulateCommand().objective || command.root != "auto" ||
                     !command.plan.empty() || !command.keyframe.empty() || !command.output.empty() ||
                     command.no_files || command.csv;
  if (words || command.output_step || command.tolerance || command.loop_tolerance || command.step ||
      command.integrator || command.beta) {
    return bad_option(
        "--restart goes on with the options of the run; only --end, --threads and --checkpoint-every may "
        "be given with it");
  }
  return {};
}

Result<SimulateInput> read_restart(SimulateCommand command) {
  const Result<void> allowed = check_restart(command);
  ESPALIER_TRY(allowed);
  SimulateInput input;
  const Result<void> locked = lock_folder(command, input.lock);
  ESPALIER_TRY(locked);
  Result<record::RunRecord> record = record::read_run(command.restart);
  ESPALIER_TRY(record);
  take_model(*record, command);
  command.engine = "recursive";
  const Result<ReadModel> read = read_mechanism(command, std::nullopt);
  ESPALIER_TRY(read);
  if (read->hash != record->model_hash) return another_model(command);
  const fs::path file = fs::path(command.restart) / "checkpoint.bin";
  Result<record::Checkpoint> checkpoint = files::read_last_checkpoint(file, record::read_checkpoint, input.notes);
  ESPALIER_TRY(checkpoint);
  Result<plan::Plan> plan = record::read_plan(fs::path(command.restart) / "run.json",
                                          plan::make_network(read->model, read->mechanism, plan::Weights::kLiu));
  ESPALIER_TRY(plan);
  if (checkpoint->model_hash != read->hash || checkpoint->plan_hash != record::plan_hash(*plan)) {
    return make_error(ErrorCode::kValue, {file.string(), 0, 0},
                      "made by another run: it does not fit the model or the plan in run.json");
  }
  input.reader = read->reader;
  const Result<void> made = set_system(*read, *plan, input);
  ESPALIER_TRY(made);
  // The frames of joints are corrected as they were when the run began.
  dynamics::StartOptions begun;
  if (!record->keyframe.empty()) {
    const Result<const model::Keyframe*> keyframe = find_keyframe(read->model, record->keyframe);
    ESPALIER_TRY(keyframe);
    begun.keyframe = *keyframe;
  }
  dynamics::Prepared prepared = dynamics::prepare(read->model, read->mechanism, input.plan, begun);
  input.system = std::move(prepared.system);
  input.correction = std::move(prepared.correction);
  input.start = std::move(checkpoint->run);
  if (input.start.state.q.size() != static_cast<std::size_t>(input.system.position_size) ||
      input.start.state.v.size() != static_cast<std::size_t>(input.system.velocity_size)) {
    return make_error(ErrorCode::kValue, {file.string(), 0, 0}, "its numbers do not fit the mechanism");
  }
  input.record = *std::move(record);
  input.record.accept = read->reader.accepted;
  if (command.end) input.record.options.run.end_time = *command.end;
  if (command.threads) input.record.options.threads = *command.threads;
  // The checkpoint of a run that is done lies before the steps that were fitted to its end.
  const double time = input.record.outcome == "done" ? input.record.time : input.start.state.time;
  const Result<void> bounded =
      check_bounds(input.record.options, time, (fs::path(command.restart) / "run.json").string());
  ESPALIER_TRY(bounded);
  const Result<void> end = check_end(command, time >= input.record.options.run.end_time, time);
  ESPALIER_TRY(end);
  input.record.outcome = "running";
  input.folder = command.restart;
  input.continued = true;
  return input;
}

}  // namespace

Result<SimulateInput> read_simulate_input(const SimulateCommand& command, std::optional<model::ModelSpec> spec) {
  for (const Result<void>& checked : {check_numbers(command), check_words(command)}) ESPALIER_TRY(checked);
  return command.restart.empty() ? read_new(command, std::move(spec)) : read_restart(command);
}

}  // namespace espalier::app
