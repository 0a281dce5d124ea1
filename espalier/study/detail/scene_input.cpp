#include "espalier/study/detail/scene_input.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/files/sealed_file.hpp"
#include "espalier/record/run_folder.hpp"
#include "espalier/study/detail/result_size.hpp"
#include "espalier/study/detail/run_bounds.hpp"
#include "espalier/study/detail/simulate_options.hpp"

namespace espalier::study::detail {
namespace {

namespace fs = std::filesystem;

// What may change where a run continues: how long it lasts and who computes it.
// A run may be continued on other ranks: storage and cuts of space belong to the machine, not to the run.
Result<void> set_sharing(const SimulateOptions& given, contact::SimulateOptions& options) {
  // What is not given stays: on a restart `options` are those of run.json.
  options.run.end_time = given.end_time.value_or(options.run.end_time);
  options.checkpoint_every = checkpoint_interval(given);
  contact::Settings& settings = options.settings;
  settings.storage = given.contact.storage.value_or(settings.storage);
  settings.bisection = given.contact.bisection.value_or(settings.bisection);
  settings.weighing = given.contact.weighing.value_or(settings.weighing);
  settings.weight_factor = given.contact.weight_factor.value_or(settings.weight_factor);
  settings.imbalance = given.contact.imbalance.value_or(settings.imbalance);
  settings.balance_every = given.contact.balance_every.value_or(settings.balance_every);
  // Told before a scene is read: without Zoltan the run would stop only when space is cut.
  if (given.contact.bisection == contact::Bisection::kZoltan && !contact::has_zoltan()) {
    return make_option_error("bisection", "`bisection` zoltan: this program was built without Zoltan", "leave it out");
  }
  return {};
}

// All that decides the bits of a run; where one continues these come from its run.json.
void set_numbers(const SimulateOptions& given, contact::SimulateOptions& options) {
  contact::Settings& settings = options.settings;
  settings.step = given.step.value_or(settings.step);
  settings.solve.tolerance = given.tolerance.value_or(settings.solve.tolerance);
  // There are no frames between the ends of a step.
  options.run.output_step = given.output_step.value_or(std::max(options.run.output_step, settings.step));
  settings.order = given.contact.order.value_or(settings.order);
  settings.solve.solver = given.contact.solver.value_or(settings.solve.solver);
  settings.solve.max_sweeps = given.contact.max_sweeps.value_or(settings.solve.max_sweeps);
  settings.correction = given.contact.correction.value_or(settings.correction);
}

// A scene that the contact engine may move.
struct Subject {
  const LoadedModel& loaded;
  std::uint64_t hash = 0;
  ReaderNotes reader;
};

// The same refusals for a new run and for one that continues.
Result<Subject> make_subject(const LoadedModel& loaded) {
  Result<ReaderNotes> reader = reader_notes(loaded, model::Use::kContact);
  ESPALIER_TRY(reader);
  const Result<std::uint64_t> hash = record::model_hash(loaded.spec);
  ESPALIER_TRY(hash);
  return Subject{loaded, *hash, *std::move(reader)};
}

// One pair by name and the others by number: what is drawn wrongly is mostly drawn so in every copy.
std::string overlap_note(const model::Model& model, const contact::Overlap& overlap, double correction) {
  const auto name = [&](std::int32_t id) { return in_quotes(model.bodies[to_index(id)].name); };
  return fmt::format(
      "{} into each other at the start; the deepest, {} and {}, by {:.3g} m. {}: draw them apart if that is not meant.",
      overlap.pairs == 1 ? "2 bodies reach" : fmt::format("{} pairs of bodies reach", overlap.pairs), name(overlap.a),
      name(overlap.b), overlap.depth,
      correction > 0 ? "They are moved apart, without speed" : "Nothing moves them apart");
}

// The scene, checked for what the engine would compute wrongly.
Result<SceneInput> make_input(const Subject& subject) {
  const model::Model& model = subject.loaded.model;
  // Here the engine refuses joints and laws that it would compute wrongly.
  Result<contact::Scene> scene = contact::make_scene(model);
  ESPALIER_TRY(scene);
  SceneInput input;
  input.scene = *std::move(scene);
  // Without the ground, which is a body of the model and none of the scene's movers.
  input.bodies = model.bodies.size() - 1;
  input.joints = model.joints.size();
  input.layout = record::make_scene_layout(model);
  input.notes = input.scene.notes;
  input.reader = subject.reader;
  return input;
}

// (1) Options, which cost nothing to refuse; (2) the model and its scene; (3) the record; (4) a look at the start.
Result<SceneInput> read_new(const LoadedModel& loaded, const SimulateOptions& given) {
  // (1) From the defaults of the engine, of which only those given are replaced.
  contact::SimulateOptions options;
  set_numbers(given, options);
  const Result<void> shared = set_sharing(given, options);
  ESPALIER_TRY(shared);
  const Result<void> bounded = check_bounds(options, 0, "");
  ESPALIER_TRY(bounded);
  // (2) Hulls of meshes are made here, which may take seconds.
  const Result<Subject> subject = make_subject(loaded);
  ESPALIER_TRY(subject);
  Result<SceneInput> input = make_input(*subject);
  ESPALIER_TRY(input);
  const Result<record::Selection> columns = choose_quantities(input->layout, given.quantities);
  ESPALIER_TRY(columns);
  // (3) With the options as they came out, defaults filled in: a later program may have other defaults.
  begin_record(given, loaded, subject->hash, input->record);
  input->record.scene().options = options;
  input->record.accept = subject->reader.accepted;
  input->start = contact::start_run(input->scene);
  // (4) A scene that begins with an overlap can be computed; whether it is meant, only its author knows.
  if (const std::optional<contact::Overlap> overlap = contact::find_overlap(input->scene)) {
    std::string note = overlap_note(loaded.model, *overlap, options.settings.correction);
    const model::Body& body = loaded.model.bodies[to_index(overlap->a)];
    if (given.strict) return make_error(ErrorCode::kValue, body.where, std::move(note));
    input->notes.push_back(std::move(note));
  }
  input->folder = given.folder.string();
  return input;
}

// The last state of the run in the folder.
// The state is checked against model and kind, not only against its own sum: it may be whole and of another run.
Result<contact::RunState> read_state(const Restart& from, const Subject& subject, const record::RunRecord& record,
                                     std::vector<std::string>& notes) {
  // Where the last checkpoint is damaged, the one before is read, and a note says so.
  const fs::path file = record::checkpoint_of(from.folder);
  Result<record::Checkpoint> checkpoint = files::read_last_checkpoint(file, record::read_checkpoint, notes);
  ESPALIER_TRY(checkpoint);
  if (subject.hash != record.model_hash) return another_model(from, subject.loaded);
  auto* state = std::get_if<contact::RunState>(&checkpoint->run);
  // A checkpoint may have been copied here from another run.
  if (checkpoint->model_hash != subject.hash || state == nullptr ||
      state->bodies.size() != subject.loaded.model.bodies.size()) {
    return make_error(ErrorCode::kValue, {file.string(), 0, 0},
                      "made by another run: it does not fit the model in run.json");
  }
  return std::move(*state);
}

// (1) The lock; (2) the record, and what may change of it; (3) the model and the state; (4) whether anything is left to
// do; (5) the scene, which is the same for every part of the run.
Result<SceneInput> read_again(const Restart& from, const SimulateOptions& given) {
  // (1) Before anything is read: another process may be writing it.
  std::optional<files::FolderLock> lock;
  const Result<void> locked = lock_folder(from.folder, lock);
  ESPALIER_TRY(locked);
  // (2) Options of the run itself are not asked for again: check_engine_options has refused them.
  Result<record::RunRecord> record = record::read_run(from.folder);
  ESPALIER_TRY(record);
  contact::SimulateOptions& options = record->scene().options;
  const Result<void> shared = set_sharing(given, options);
  ESPALIER_TRY(shared);
  // (3) With the reader options of the run, so that the same file is read as the same model.
  const Result<LoadedModel> loaded = load_again(*record, from);
  ESPALIER_TRY(loaded);
  const Result<Subject> subject = make_subject(*loaded);
  ESPALIER_TRY(subject);
  std::vector<std::string> notes;
  Result<contact::RunState> start = read_state(from, *subject, *record, notes);
  ESPALIER_TRY(start);
  // (4) From the time of the checkpoint: the steps left are counted, not those of the whole run.
  const Result<void> bounded = check_bounds(options, start->time, (from.folder / "run.json").string());
  ESPALIER_TRY(bounded);
  // Half a step of tolerance, since the end is rounded up to whole steps.
  const bool has_ended = options.run.end_time <= start->time + options.settings.step / 2;
  const Result<void> end = check_end(from, given, has_ended, start->time);
  ESPALIER_TRY(end);
  // (5) Made from the model again: only the state was stored.
  Result<SceneInput> input = make_input(*subject);
  ESPALIER_TRY(input);
  if (lock) input->lock.emplace(*std::move(lock));
  // Notes on the checkpoint go first: they say that some computed time is lost.
  input->notes.insert(input->notes.begin(), notes.begin(), notes.end());
  input->record = *std::move(record);
  input->record.accept = subject->reader.accepted;
  // Under way again: until it ends it has no outcome.
  input->record.outcome.reset();
  input->continued = true;
  input->start = *std::move(start);
  input->folder = from.folder.string();
  return input;
}

// Collective. What was read on the root, and on all ranks what they must know of it.
Result<SceneInput> share(const comm::Comm& comm, Result<SceneInput> read) {
  // Plain numbers alone, since a broadcast copies bytes.
  struct Pace {
    contact::Settings settings;
    double end_time = 0, output_step = 0;
  };
  // Before the broadcast: ranks that wait for numbers of a refused scene would wait for ever.
  Result<SceneInput> input = comm::agree_with_root(comm, std::move(read));
  ESPALIER_TRY(input);
  contact::SimulateOptions& options = input->record.scene().options;
  const Pace pace = comm::broadcast(comm, Pace{options.settings, options.run.end_time, options.run.output_step});
  // Every rank steps by its own copy of these, so that they must be equal to the bit.
  options.settings = pace.settings;
  options.run.end_time = pace.end_time;
  options.run.output_step = pace.output_step;
  return input;
}

}  // namespace

Result<SceneInput> read_scene(const comm::Comm& comm, const LoadedModel& loaded, const SimulateOptions& options) {
  // One rank reads the files, and share() sends what the others need.
  return share(comm, comm.is_root() ? read_new(loaded, options) : SceneInput());
}

Result<SceneInput> read_scene_again(const comm::Comm& comm, const Restart& from, const SimulateOptions& options) {
  return share(comm, comm.is_root() ? read_again(from, options) : SceneInput());
}

}  // namespace espalier::study::detail
