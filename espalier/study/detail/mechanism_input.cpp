#include "espalier/study/detail/mechanism_input.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/dynamics/run_tree.hpp"
#include "espalier/dynamics/start.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/files/sealed_file.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/record/plan_file.hpp"
#include "espalier/record/run_folder.hpp"
#include "espalier/study/check.hpp"
#include "espalier/study/detail/mechanism_tree.hpp"
#include "espalier/study/detail/run_bounds.hpp"
#include "espalier/study/detail/simulate_options.hpp"

namespace espalier::study::detail {
namespace {

namespace fs = std::filesystem;

Result<dynamics::SimulateOptions> read_options(const SimulateOptions& given) {
  dynamics::SimulateOptions options;
  options.run.end_time = given.end_time.value_or(options.run.end_time);
  options.run.output_step = given.output_step.value_or(options.run.output_step);
  options.tolerance = given.tolerance.value_or(options.tolerance);
  options.loop_tolerance = given.loop_tolerance.value_or(options.loop_tolerance);
  options.step = given.step.value_or(options.step);
  options.threads = given.threads.value_or(options.threads);
  options.integrator = given.integrator.value_or(options.integrator);
  const Result<void> bounded = check_bounds(options, 0, "");
  ESPALIER_TRY(bounded);
  return options;
}

// A model that the recursive engine may move.
struct Subject {
  const LoadedModel& loaded;
  plan::Mechanism mechanism;
  std::uint64_t hash = 0;
  ReaderNotes reader;
};

Result<Subject> make_subject(const LoadedModel& loaded) {
  Result<ReaderNotes> reader = reader_notes(loaded, model::Use::kMotion);
  ESPALIER_TRY(reader);
  const Result<std::uint64_t> hash = record::model_hash(loaded.spec);
  ESPALIER_TRY(hash);
  return Subject{loaded, plan::make_mechanism(loaded.model), *hash, *std::move(reader)};
}

// The tree that the run is computed on, its laws checked, and what is to be said about both.
Result<void> set_system(const Subject& subject, const plan::Plan& plan, MechanismInput& input) {
  const model::Model& model = subject.loaded.model;
  dynamics::RunTree tree = dynamics::make_run_tree(model, subject.mechanism, plan);
  // Not the plan as given: joints whose laws need a coordinate are put into the tree.
  input.plan = std::move(tree.plan);
  input.system = dynamics::make_system(model, subject.mechanism, input.plan);
  const Result<std::vector<model::Note>> laws = dynamics::check_laws(input.system);
  ESPALIER_TRY(laws);
  for (const dynamics::KeptJoint& kept : tree.kept) {
    input.notes.push_back(sentence(dynamics::kept_text(input.system.model, kept)));
  }
  for (const model::Note& note : *laws) input.notes.push_back(sentence(note.message));
  return {};
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
void add_start_notes(MechanismInput& input) {
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
  if (!model.keyframes.empty()) {
    note += fmt::format(" The keyframe {} starts elsewhere.", in_quotes(model.keyframes.front().name));
  }
  return note;
}

// A keyframe of the model; null where `name` is empty.
Result<const model::Keyframe*> start_pose(const model::Model& model, const std::string& name) {
  if (name.empty()) return nullptr;
  return find_keyframe(model, name);
}

// Closes the loops and fits the velocities; where loops stay open, the mechanism cannot be what was meant.
Result<void> set_start(const Subject& subject, const model::Keyframe* keyframe, MechanismInput& input) {
  dynamics::StartOptions from;
  from.keyframe = keyframe;
  dynamics::Prepared prepared = dynamics::prepare(subject.loaded.model, subject.mechanism, input.plan, from);
  // Now with the frames of joints corrected.
  input.system = std::move(prepared.system);
  input.correction = std::move(prepared.correction);
  const dynamics::Start& start = prepared.start;
  const model::Model& model = input.system.model;
  const dynamics::Assembly& assembly = start.assembly;
  if (const std::optional<Error> error = locked_by_rounding(model, input.correction, assembly)) {
    return tl::unexpected(*error);
  }
  if (assembly.outcome == dynamics::Assembly::Outcome::kOpen) {
    Error open{ErrorCode::kTopology, "", {subject.loaded.file, 0, 0}, "spherical"};
    open.message = fmt::format("the loops do not close: {} is left", gap_at(model, assembly.after.front()));
    open.hint = "`espalier check` shows all gaps" + ball_hint(model);
    return tl::unexpected(open);
  }
  if (!assembly.moved.empty()) {
    input.notes.push_back(fmt::format("The loops were open by {}; {} moved to close them.",
                                      gap_at(model, assembly.before.front()), counted(assembly.moved.size(), "joint")));
  }
  const std::string correction = correction_text(model, input.correction);
  if (!correction.empty()) input.notes.push_back(correction + ".");
  if (!assembly.limits.empty()) input.notes.push_back(limit_note(model, assembly.limits));
  if (!start.velocity.changed.empty()) input.notes.push_back(velocity_note(model, start.velocity));
  input.gap = assembly.before.empty() ? 0 : assembly.before.front().distance;
  input.start = dynamics::start_run(input.system, start.state);
  return {};
}

Result<void> make_record(const Subject& subject, const SimulateOptions& given, dynamics::SimulateOptions options,
                         MechanismInput& input) {
  const Result<std::string> document =
      record::plan_json(input.plan, record::PlanDocument{.file = subject.loaded.file, .machine = {}});
  ESPALIER_TRY(document);
  record::RunRecord& record = input.record;
  begin_record(given, subject.loaded, subject.hash, record);
  record.accept = subject.reader.accepted;
  record.keyframe = given.keyframe;
  record::MechanismPart& part = record.mechanism();
  part.plan = *document;
  part.plan_hash = record::plan_hash(input.plan);
  part.options = std::move(options);
  return {};
}

// The plan and the last state of the run in a folder, and that they belong together.
Result<record::Checkpoint> read_checkpoint_of(const Restart& from, const Subject& subject,
                                              const record::RunRecord& record, MechanismInput& input) {
  // The model first: a plan of another one would be refused joint by joint.
  if (subject.hash != record.model_hash) return another_model(from, subject.loaded);
  const fs::path file = record::checkpoint_of(from.folder);
  Result<record::Checkpoint> checkpoint = files::read_last_checkpoint(file, record::read_checkpoint, input.notes);
  ESPALIER_TRY(checkpoint);
  const Result<plan::Plan> plan = record::read_plan(
      from.folder / "run.json", plan::make_network(subject.loaded.model, subject.mechanism, plan::Weights::kLiu));
  ESPALIER_TRY(plan);
  if (record::kind_of(checkpoint->run) != record::RunKind::kMechanism || checkpoint->model_hash != subject.hash ||
      checkpoint->plan_hash != record::plan_hash(*plan)) {
    return make_error(ErrorCode::kValue, {file.string(), 0, 0},
                      "made by another run: it does not fit the model or the plan in run.json");
  }
  const Result<void> made = set_system(subject, *plan, input);
  ESPALIER_TRY(made);
  return checkpoint;
}

// The system and the state that the run had come to.
Result<void> set_state(const Restart& from, const Subject& subject, const record::RunRecord& record,
                       dynamics::RunState state, MechanismInput& input) {
  // The frames of joints are corrected as they were when the run began.
  const Result<const model::Keyframe*> keyframe = start_pose(subject.loaded.model, record.keyframe);
  ESPALIER_TRY(keyframe);
  dynamics::StartOptions begun;
  begun.keyframe = *keyframe;
  dynamics::Prepared prepared = dynamics::prepare(subject.loaded.model, subject.mechanism, input.plan, begun);
  input.system = std::move(prepared.system);
  input.correction = std::move(prepared.correction);
  input.start = std::move(state);
  if (input.start.state.q.size() != to_index(input.system.position_size) ||
      input.start.state.v.size() != to_index(input.system.velocity_size)) {
    return make_error(ErrorCode::kValue, {record::checkpoint_of(from.folder).string(), 0, 0},
                      "its numbers do not fit the mechanism");
  }
  return {};
}

}  // namespace

Result<MechanismInput> read_mechanism(const LoadedModel& loaded, const SimulateOptions& given) {
  Result<dynamics::SimulateOptions> options = read_options(given);
  ESPALIER_TRY(options);
  const Result<Subject> subject = make_subject(loaded);
  ESPALIER_TRY(subject);
  const Result<plan::Plan> plan = choose_plan(loaded, subject->mechanism, given.tree);
  ESPALIER_TRY(plan);
  // The setup is timed without the search for a tree.
  const auto planned = std::chrono::steady_clock::now();
  MechanismInput input;
  input.reader = subject->reader;
  const Result<void> made = set_system(*subject, *plan, input);
  ESPALIER_TRY(made);
  const Result<const model::Keyframe*> keyframe = start_pose(loaded.model, given.keyframe);
  ESPALIER_TRY(keyframe);
  const Result<void> closed = set_start(*subject, *keyframe, input);
  ESPALIER_TRY(closed);
  input.setup_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - planned).count();
  add_start_notes(input);
  std::string other_tree = tree_difference(given.tree, loaded, subject->mechanism, input.plan,
                                           dynamics::options_for_run(loaded.model, subject->mechanism, {}).pin);
  if (!other_tree.empty()) input.notes.push_back(std::move(other_tree));
  const Result<void> recorded = make_record(*subject, given, *std::move(options), input);
  ESPALIER_TRY(recorded);
  input.folder = given.folder.string();
  return input;
}

Result<MechanismInput> read_mechanism_again(const Restart& from, const SimulateOptions& given) {
  MechanismInput input;
  // Before anything is read: another process may be writing it.
  const Result<void> locked = lock_folder(from.folder, input.lock);
  ESPALIER_TRY(locked);
  Result<record::RunRecord> record = record::read_run(from.folder);
  ESPALIER_TRY(record);
  const Result<LoadedModel> loaded = load_again(*record, from);
  ESPALIER_TRY(loaded);
  const Result<Subject> subject = make_subject(*loaded);
  ESPALIER_TRY(subject);
  Result<record::Checkpoint> checkpoint = read_checkpoint_of(from, *subject, *record, input);
  ESPALIER_TRY(checkpoint);
  const Result<void> set =
      set_state(from, *subject, *record, std::get<dynamics::RunState>(std::move(checkpoint->run)), input);
  ESPALIER_TRY(set);
  input.reader = subject->reader;
  input.record = *std::move(record);
  input.record.accept = subject->reader.accepted;
  dynamics::SimulateOptions& options = input.record.mechanism().options;
  options.run.end_time = given.end_time.value_or(options.run.end_time);
  options.threads = given.threads.value_or(options.threads);
  // The checkpoint of a run that is done lies before the steps that were fitted to its end.
  const double time = input.record.outcome == model::Outcome::kDone ? input.record.time : input.start.state.time;
  const Result<void> bounded = check_bounds(options, time, (from.folder / "run.json").string());
  ESPALIER_TRY(bounded);
  const Result<void> end = check_end(from, given, time >= options.run.end_time, time);
  ESPALIER_TRY(end);
  // Under way again: until it ends it has no outcome.
  input.record.outcome.reset();
  input.folder = from.folder.string();
  input.continued = true;
  return input;
}

}  // namespace espalier::study::detail
