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
#include "espalier/study/closing.hpp"
#include "espalier/study/detail/mechanism_tree.hpp"
#include "espalier/study/detail/result_size.hpp"
#include "espalier/study/detail/run_bounds.hpp"
#include "espalier/study/detail/simulate_options.hpp"

namespace espalier::study::detail {
namespace {

namespace fs = std::filesystem;

Result<dynamics::SimulateOptions> read_options(const SimulateOptions& given) {
  // The engine's own defaults stand where nothing was given, so that no second list of them can go out of date.
  dynamics::SimulateOptions options;
  options.run.end_time = given.end_time.value_or(options.run.end_time);
  options.run.output_step = given.output_step.value_or(options.run.output_step);
  options.tolerance = given.tolerance.value_or(options.tolerance);
  options.loop_tolerance = given.loop_tolerance.value_or(options.loop_tolerance);
  options.step = given.step.value_or(options.step);
  options.threads = given.threads.value_or(options.threads);
  options.integrator = given.integrator.value_or(options.integrator);
  // After the defaults are in: an output step alone may ask for more frames than can be counted up to the default end.
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

// Everything that refuses a model as such stands here, so that a run and its continuation refuse the same models.
Result<Subject> make_subject(const LoadedModel& loaded) {
  Result<ReaderNotes> reader = reader_notes(loaded, model::Use::kMotion);
  ESPALIER_TRY(reader);
  // Of the spec, not of the file: comments and the order of keys may change between a run and its continuation.
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
  // On the tree that is used, since some laws can be computed on one tree and not on another.
  const Result<std::vector<model::Note>> laws = dynamics::check_laws(input.system);
  ESPALIER_TRY(laws);
  // A body that is cut in two would surprise whoever reads the plan of the run.
  for (const dynamics::KeptJoint& kept : tree.kept) {
    input.notes.push_back(sentence(dynamics::kept_text(input.system.model(), kept)));
  }
  for (const model::Note& note : *laws) input.notes.push_back(sentence(note.message));
  return {};
}

// Two digits: how far a drawing is off is known no better.
std::string gap_text(const dynamics::JointGap& gap) {
  return gap.distance > 0 ? fmt::format("{:.2g} m", gap.distance) : fmt::format("{:.2g} rad", gap.angle);
}

// "0.01 m at 'C'".
std::string gap_at(const model::Model& model, const dynamics::JointGap& gap) {
  return gap_text(gap) + " at " + (gap.joint.valid() ? in_quotes(model.joint(gap.joint).name) : "a body cut in two");
}

std::string velocity_note(const model::Model& model, const dynamics::VelocityFit& fit) {
  // Changes are sorted, largest first; one stands for all, since a wrong sign shows at the joint that it is given at.
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

// Negative within the limits, so that the comparison below needs no case.
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
  // Models with keyframes are often drawn in a pose that is none to start from.
  if (!model.keyframes.empty()) {
    note += fmt::format(" The keyframe {} starts elsewhere.", in_quotes(model.keyframes.front().name));
  }
  return note;
}

// A keyframe of the model; null where `name` is empty.
Result<const model::Keyframe*> start_pose(const model::Model& model, const std::string& name) {
  // Null asks for the drawn pose, which is a start like any other and not an error.
  if (name.empty()) return nullptr;
  return find_keyframe(model, name);
}

// Closes the loops and fits the velocities; where loops stay open, the mechanism cannot be what was meant.
Result<void> set_start(const Subject& subject, const model::Keyframe* keyframe, MechanismInput& input) {
  dynamics::StartOptions from;
  from.keyframe = keyframe;
  // (1) Close the loops on the tree of the run; the pose does not depend on the tree, the coordinates do.
  dynamics::Prepared prepared = dynamics::prepare(subject.loaded.model, subject.mechanism, input.plan, from);
  // Now with the frames of joints corrected.
  input.system = std::move(prepared.system);
  input.correction = std::move(prepared.correction);
  const dynamics::Start& start = prepared.start;
  const model::Model& model = input.system.model();
  const dynamics::Assembly& assembly = start.assembly;
  // (2) Refuse what would run but not as it was meant: a mechanism locked by rounding, or one that stays open.
  if (const std::optional<Error> error = locked_by_rounding(model, input.correction, assembly)) {
    return tl::unexpected(*error);
  }
  if (assembly.outcome == dynamics::Assembly::Outcome::kOpen) {
    // The option of the error is `spherical`, for the doors: hinges called ball joints are the usual reason.
    Error open{ErrorCode::kTopology, "", {subject.loaded.file, 0, 0}, "spherical"};
    open.message = fmt::format("the loops do not close: {} is left", gap_at(model, assembly.after.front()));
    open.hint = "`espalier check` shows all gaps" + ball_hint(model);
    return tl::unexpected(open);
  }
  // (3) Say what was changed on the way to the start: each of these is a difference between file and run.
  if (!assembly.moved.empty()) {
    input.notes.push_back(fmt::format("The loops were open by {}; {} moved to close them.",
                                      gap_at(model, assembly.before.front()), counted(assembly.moved.size(), "joint")));
  }
  const std::string correction = correction_text(model, input.correction);
  if (!correction.empty()) input.notes.push_back(correction + ".");
  if (!assembly.limits.empty()) input.notes.push_back(limit_note(model, assembly.limits));
  if (!start.velocity.changed.empty()) input.notes.push_back(velocity_note(model, start.velocity));
  // (4) The start itself. The first gap is the worst, since gaps are sorted.
  input.gap = assembly.before.empty() ? 0 : assembly.before.front().distance;
  input.start = dynamics::start_run(input.system, start.state);
  return {};
}

Result<void> make_record(const Subject& subject, const SimulateOptions& given, dynamics::SimulateOptions options,
                         MechanismInput& input) {
  // The plan as a document is kept in the record: a run continues on this tree, whatever `plan` would find by then.
  const std::optional<plan::PlanOptions> with = chosen_with(subject.loaded, subject.mechanism, given.tree);
  const Result<std::string> document = record::plan_json(
      input.plan, record::PlanDocument{.file = subject.loaded.file, .reasons = with ? &*with : nullptr, .machine = {}});
  ESPALIER_TRY(document);
  record::RunRecord& record = input.record;
  begin_record(given, subject.loaded, subject.hash, record);
  // Only the words that were needed: others would accept on a restart what nobody was asked about.
  record.accept = subject.reader.accepted;
  record.keyframe = given.keyframe;
  record::MechanismPart& part = record.mechanism();
  part.plan = *document;
  // The checkpoint carries this hash too: its coordinates mean nothing on another tree.
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
  // Read against the network of the model as it is now: names that are gone are found here, with the line of run.json.
  const Result<plan::Plan> plan = record::read_plan(
      from.folder / "run.json", plan::make_network(subject.loaded.model, subject.mechanism, plan::Weights::kLiu));
  ESPALIER_TRY(plan);
  // Any of these may differ where files were copied between folders; it would be taken for another state.
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
  // Closing the loops of the start again gives the same correction, bit for bit, so that it need not be stored.
  const Result<const model::Keyframe*> keyframe = start_pose(subject.loaded.model, record.keyframe);
  ESPALIER_TRY(keyframe);
  dynamics::StartOptions begun;
  begun.keyframe = *keyframe;
  dynamics::Prepared prepared = dynamics::prepare(subject.loaded.model, subject.mechanism, input.plan, begun);
  input.system = std::move(prepared.system);
  input.correction = std::move(prepared.correction);
  // The start found above is dropped: the run continues from the checkpoint.
  input.start = std::move(state);
  // A sum over the bytes does not see a checkpoint that is whole, but of a system that had other coordinates.
  if (input.start.state.q.size() != to_index(input.system.position_size()) ||
      input.start.state.v.size() != to_index(input.system.velocity_size())) {
    return make_error(ErrorCode::kValue, {record::checkpoint_of(from.folder).string(), 0, 0},
                      "its numbers do not fit the mechanism");
  }
  return {};
}

}  // namespace

// (1) Options and model, which are refused before any work; (2) the tree; (3) the laws on it; (4) the closed start; (5)
// what the user should know; (6) the record.
Result<MechanismInput> read_mechanism(const LoadedModel& loaded, const SimulateOptions& given) {
  // (1) Options before the model, which takes longer to look at.
  Result<dynamics::SimulateOptions> options = read_options(given);
  ESPALIER_TRY(options);
  const Result<Subject> subject = make_subject(loaded);
  ESPALIER_TRY(subject);
  // (2) May take seconds for a large mechanism.
  const Result<plan::Plan> plan = choose_plan(loaded, subject->mechanism, given.tree);
  ESPALIER_TRY(plan);
  // The setup is timed without the search for a tree.
  const auto planned = std::chrono::steady_clock::now();
  // (3) A tree from a file is checked too: it may have been made for other laws.
  MechanismInput input;
  input.reader = subject->reader;
  const Result<void> made = set_system(*subject, *plan, input);
  ESPALIER_TRY(made);
  // (4) The name of a keyframe is looked up before loops are closed, which takes longer.
  const Result<const model::Keyframe*> keyframe = start_pose(loaded.model, given.keyframe);
  ESPALIER_TRY(keyframe);
  const Result<void> closed = set_start(*subject, *keyframe, input);
  ESPALIER_TRY(closed);
  input.setup_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - planned).count();
  // (5) Notes come in this order in the report: what the pose is like, and then why the tree is not the printed one.
  add_start_notes(input);
  std::string other_tree = tree_difference(given.tree, loaded, subject->mechanism, input.plan,
                                           dynamics::options_for_run(loaded.model, subject->mechanism, {}).pin);
  if (!other_tree.empty()) input.notes.push_back(std::move(other_tree));
  // (6) Last, when plan and notes are those of the run.
  const Result<record::Selection> columns = choose_quantities(record::make_layout(input.system), given.quantities);
  ESPALIER_TRY(columns);
  const Result<void> recorded = make_record(*subject, given, *std::move(options), input);
  ESPALIER_TRY(recorded);
  input.folder = given.folder.string();
  return input;
}

// (1) The lock; (2) the record and its model; (3) the state; (4) what may change, and whether anything is left to do.
Result<MechanismInput> read_mechanism_again(const Restart& from, const SimulateOptions& given) {
  MechanismInput input;
  // (1) Before anything is read: another process may be writing it.
  const Result<void> locked = lock_folder(from.folder, input.lock);
  ESPALIER_TRY(locked);
  // (2) The record goes before options: a run continues as it began.
  Result<record::RunRecord> record = record::read_run(from.folder);
  ESPALIER_TRY(record);
  const Result<LoadedModel> loaded = load_again(*record, from);
  ESPALIER_TRY(loaded);
  const Result<Subject> subject = make_subject(*loaded);
  ESPALIER_TRY(subject);
  // (3) Notes of the checkpoint, such as a damaged one in whose place the one before was read, end up in the input.
  Result<record::Checkpoint> checkpoint = read_checkpoint_of(from, *subject, *record, input);
  ESPALIER_TRY(checkpoint);
  const Result<void> set =
      set_state(from, *subject, *record, std::get<dynamics::RunState>(std::move(checkpoint->run)), input);
  ESPALIER_TRY(set);
  input.reader = subject->reader;
  input.record = *std::move(record);
  input.record.accept = subject->reader.accepted;
  // (4) Only how long and on how many threads: neither changes a bit of what was computed.
  dynamics::SimulateOptions& options = input.record.mechanism().options;
  options.run.end_time = given.end_time.value_or(options.run.end_time);
  options.threads = given.threads.value_or(options.threads);
  // The checkpoint of a run that is done lies before the steps that were fitted to its end.
  const double time = input.record.outcome == model::Outcome::kDone ? input.record.time : input.start.state.time;
  // Numbers in run.json may have been edited by hand; they are refused with that file as the place.
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
