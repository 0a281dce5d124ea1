#include "espalier/study/detail/scene_run.hpp"

#include <algorithm>
#include <utility>

#include "espalier/comm/collectives.hpp"
#include "espalier/study/detail/result_size.hpp"
#include "espalier/study/detail/simulate_options.hpp"

namespace espalier::study::detail {
namespace {

// Adds what this part of the run did to what was done before it, `start` steps.
void add_status(const contact::RunStatus& status, std::int64_t start, int ranks, record::RunRecord& record) {
  record.outcome = status.outcome;
  record.message = status.message;
  record.time = status.time;
  // Counted from the first part on by the engine, unlike the steps beside it.
  record.frames = status.frames;
  record.steps = start + status.steps;
  record.seconds += status.seconds;
  record.state_hash = record::state_hash(status.end);
  record::ScenePart& part = record.scene();
  part.unconverged += status.unconverged;
  // The worst of all parts: a run that is continued does not become better by it.
  part.worst_residual = std::max(part.worst_residual, status.worst_residual);
  part.sweeps += status.sweeps;
  part.iterations += status.iterations;
  part.contacts = status.contacts;
  part.most_contacts = std::max(part.most_contacts, status.most_contacts);
  part.penetration = std::max(part.penetration, status.penetration);
  part.ranks = ranks;
}

Result<std::optional<record::RunFolder>> open_folder(const SceneInput& input) {
  // Without a folder nothing is written, and the caller takes the frames.
  if (input.folder.empty()) return std::nullopt;
  Result<record::RunFolder> folder =
      input.continued ? record::RunFolder::reopen(input.folder, input.record, input.layout, input.start)
                      : record::RunFolder::create(input.folder, input.record, input.layout, input.start);
  ESPALIER_TRY(folder);
  return std::optional(*std::move(folder));
}

// What is known before the first step.
SimulateAnswer begin_answer(const SceneInput& input) {
  SimulateAnswer answer;
  answer.engine = Engine::kContact;
  take_record(input.record, answer);
  answer.continued = input.continued;
  answer.start_time = answer.time = input.start.time;
  answer.frames = input.start.outputs;
  // From the record and not from the options, which are empty where a run continues.
  answer.tolerance = input.record.scene().options.settings.solve.tolerance;
  answer.notes = input.notes;
  answer.reader = input.reader;
  answer.folder = input.folder;
  if (!input.folder.empty()) answer.expected = result_size(input.record, input.layout, input.start.outputs);
  // That a scene is there is how doors tell this answer from one of the other engine.
  SceneAnswer& scene = answer.scene.emplace();
  scene.settings = input.record.scene().options.settings;
  scene.bodies = input.bodies;
  scene.joints = input.joints;
  return answer;
}

void end_answer(const record::RunRecord& record, contact::RunStatus status, SimulateAnswer& answer) {
  take_record(record, answer);
  SceneAnswer& scene = *answer.scene;
  const record::ScenePart& part = record.scene();
  scene.unconverged = part.unconverged;
  // Two words meet here: what records and the engine call sweeps are passes of Gauss-Seidel, iterations in an answer.
  scene.iterations = part.sweeps;
  scene.newton_iterations = part.iterations;
  scene.worst_residual = part.worst_residual;
  scene.contacts = part.contacts;
  scene.most_contacts = part.most_contacts;
  scene.penetration = part.penetration;
  // Of this part alone: loads of ranks cannot be added where their number has changed.
  scene.status = std::move(status);
}

RunProgress progress_of(const contact::Progress& at, const SimulateAnswer& answer) {
  // Of the last step, not of the mean: progress is looked at to see whether the run is in trouble now.
  RunProgress progress{
      .engine = Engine::kContact, .start_time = answer.start_time, .time = at.time, .end_time = answer.end_time};
  progress.contacts = at.last.contacts;
  progress.iterations = at.last.solved.sweeps;
  progress.residual = at.last.solved.accuracy.natural;
  progress.imbalance = at.last.imbalance;
  progress.unconverged = at.unconverged;
  return progress;
}

}  // namespace

// (1) Tell what is known; (2) open the files, on the root; (3) connect frames and checkpoints with files and caller;
// (4) run, on all ranks; (5) write down how it went, on the root.
Result<SimulateAnswer> run_scene(const comm::Comm& comm, SceneInput input, const SimulateOptions& given) {
  SimulateAnswer answer = begin_answer(input);
  // Rather now than when the disk is full. Other ranks expect nothing, and hear what the root found.
  const Result<void> fits = comm::agree_with_root(comm, check_free_space(input.folder, answer.expected));
  ESPALIER_TRY(fits);
  // (1) On every rank, since each may want to say where it runs.
  if (given.on_begin) given.on_begin(answer);
  // The input of other ranks names no folder: nothing is opened there, and they learn whether it was on the root.
  Result<std::optional<record::RunFolder>> folder = comm::agree_with_root(comm, open_folder(input));
  ESPALIER_TRY(folder);
  // (2) Null on all ranks but the root, which makes the functions below do nothing there.
  record::RunFolder* files = *folder ? &**folder : nullptr;
  record::RunRecord record = input.record;
  const auto keep = [&](const Result<void>& written) {
    if (!written && !answer.problem) answer.problem = written.error();
    return !answer.problem;
  };
  // (3) The first file that cannot be written ends the run; later ones would fail for the same reason.
  const model::Sink sink = [&](const model::Frame& frame) {
    if (answer.problem || (files != nullptr && !keep(files->append(frame)))) return false;
    return !given.on_frame || given.on_frame(frame);
  };
  contact::SimulateOptions options = record.scene().options;
  options.run.stop = given.stop;
  // The engine decides when: collecting the state from all ranks takes part of all of them.
  options.on_checkpoint = [&](const contact::RunState& state) { return files == nullptr || keep(files->save(state)); };
  options.on_step = [&](const contact::Progress& at) {
    if (given.on_step) given.on_step(progress_of(at, answer));
  };
  // (4) The scene is given away: it may be larger than what one rank can hold twice.
  contact::RunStatus status = contact::simulate(comm, std::move(input.scene), input.start, sink, options);
  // The root alone has the record and the files.
  if (!comm.is_root()) return answer;
  // (5) The failure goes into the record before finish() writes it.
  add_status(status, input.start.steps, comm.size(), record);
  fail_for_files(answer.problem, record);
  if (files != nullptr) {
    // A problem here is kept as one of the answer: the run itself is computed, and its numbers stand.
    keep(files->finish(status.end, record));
    answer.files = files->files();
  }
  end_answer(record, std::move(status), answer);
  return answer;
}

}  // namespace espalier::study::detail
