#include "espalier/study/detail/mechanism_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "espalier/study/detail/result_size.hpp"
#include "espalier/study/detail/simulate_options.hpp"

namespace espalier::study::detail {
namespace {

// What rounding moves [rad/s] or [m/s].
constexpr double kRest = 1e-9;

// What the frames show, for progress and for runs that continue: the state does not know where the energy began.
// Kept here and not in the engine, since a run that continues is several calls of the engine.
struct Watch {
  std::optional<double> energy_start;
  double energy_error = 0;   // largest so far [J]
  double loop_distance = 0;  // of the last frame [m]
  double energy = 0;         // error of the last frame [J]
  double fastest = 0;        // of all coordinates and frames [rad/s] or [m/s]
  std::int64_t frames = 0;

  void see(const model::Frame& frame) {
    // Work of drives and losses of dampers are taken out: what is left must not change, but for the error of the steps.
    const double balance = frame.kinetic + frame.potential - frame.exchanged;
    // Of the run, not of this part of it: a restart brings along where the energy began.
    if (!energy_start) energy_start = balance;
    energy = std::abs(balance - *energy_start);
    energy_error = std::max(energy_error, energy);
    loop_distance = frame.loop_distance;
    for (const double speed : frame.v) fastest = std::max(fastest, std::abs(speed));
    // Counted from the frames of the earlier parts, which the caller has set.
    ++frames;
  }
};

// Adds what this part of the run did to what was done before.
void add_status(const dynamics::RunStatus& status, const Watch& watch, bool continued, record::RunRecord& record) {
  record.outcome = status.outcome;
  record.message = status.message;
  record.time = status.end.state.time;
  record.frames = watch.frames;
  // Sums of all parts beside values of the last one: time and frames are counted from the start of the run already.
  record.steps += status.steps;
  record.seconds += status.seconds;
  record.state_hash = record::state_hash(status.end.state);
  record::MechanismPart& part = record.mechanism();
  part.integrator = word_of(status.end.integrator);
  part.rejected += status.rejected;
  part.evaluations += status.evaluations;
  // A worst case is one of the whole run, so that stopping and continuing cannot hide it.
  part.loop_distance = std::max(part.loop_distance, status.loop_distance);
  part.loop_angle = std::max(part.loop_angle, status.loop_angle);
  // The engine measures from its own first frame, which is that of the run only where the run begins here.
  part.energy_error = std::max({part.energy_error, watch.energy_error, continued ? 0 : status.energy_error});
  part.energy_scale = std::max(part.energy_scale, status.energy_scale);
  part.energy_start = watch.energy_start;
}

Result<std::optional<record::RunFolder>> open_folder(const MechanismInput& input, const SimulateAnswer& answer,
                                                     const SimulateOptions& options) {
  // No folder is an answer, not an error: a program may want the frames alone.
  if (input.folder.empty()) return std::nullopt;
  const record::ResultLayout layout = record::make_layout(answer.mechanism->system);
  Result<record::RunFolder> folder = input.continued
                                         ? record::RunFolder::reopen(input.folder, input.record, layout, input.start)
                                         : record::RunFolder::create(input.folder, input.record, layout, input.start);
  ESPALIER_TRY(folder);
  // Belongs to this call and not to the run: a machine that is often lost may be another one tomorrow.
  folder->set_checkpoint_interval(checkpoint_interval(options));
  return std::optional(*std::move(folder));
}

// What is known before the first step.
SimulateAnswer begin_answer(MechanismInput& input) {
  SimulateAnswer answer;
  answer.engine = Engine::kRecursive;
  // The record of a continued run knows what the earlier parts did, so that the head of the report can tell it.
  take_record(input.record, answer);
  answer.continued = input.continued;
  answer.start_time = answer.time = input.start.state.time;
  // Of the state, not of the record: frames that were written after the last checkpoint are dropped and come again.
  answer.frames = input.start.outputs;
  answer.tolerance = input.record.mechanism().options.tolerance;
  answer.notes = std::move(input.notes);
  answer.reader = std::move(input.reader);
  answer.folder = input.folder;
  MechanismAnswer& mechanism = answer.mechanism.emplace();
  mechanism.plan = std::move(input.plan);
  // The answer owns the system from here on: the run below works on it in its final place.
  mechanism.system = std::move(input.system);
  mechanism.options = input.record.mechanism().options;
  mechanism.drawn_gap = input.gap;
  mechanism.correction = std::move(input.correction);
  mechanism.setup_seconds = input.setup_seconds;
  if (!input.folder.empty()) {
    answer.expected = result_size(input.record, record::make_layout(mechanism.system), input.start.outputs);
  }
  return answer;
}

void end_answer(const record::RunRecord& record, dynamics::RunStatus status, SimulateAnswer& answer) {
  // From the record again, so that the answer and run.json cannot differ.
  take_record(record, answer);
  MechanismAnswer& mechanism = *answer.mechanism;
  mechanism.integrator = status.end.integrator;
  const record::MechanismPart& part = record.mechanism();
  mechanism.rejected = part.rejected;
  mechanism.evaluations = part.evaluations;
  mechanism.loop_distance = part.loop_distance;
  mechanism.loop_angle = part.loop_angle;
  mechanism.energy_error = part.energy_error;
  mechanism.energy_scale = part.energy_scale;
  mechanism.setup_seconds += status.setup_seconds;
  mechanism.status = std::move(status);
}

}  // namespace

// (1) Tell what is known before the first step; (2) open the files; (3) connect frames and steps with files and caller;
// (4) run; (5) write down how it went.
Result<SimulateAnswer> run_mechanism(MechanismInput input, const SimulateOptions& given) {
  SimulateAnswer answer = begin_answer(input);
  const dynamics::System& system = answer.mechanism->system;
  // Rather now than when the disk is full.
  const Result<void> fits = check_free_space(input.folder, answer.expected);
  ESPALIER_TRY(fits);
  // (1) Before the folder is made, so that the head of a report is there even if that fails.
  if (given.on_begin) given.on_begin(answer);
  Result<std::optional<record::RunFolder>> folder = open_folder(input, answer, given);
  ESPALIER_TRY(folder);
  // (2) A pointer, since all that follows is the same with and without files.
  record::RunFolder* files = *folder ? &**folder : nullptr;
  record::RunRecord record = input.record;
  Watch watch;
  // The balance of a continued run is measured from its first frame, not from where it was stopped.
  watch.energy_start = record.mechanism().energy_start;
  // A run that was killed has not written it down.
  if (!watch.energy_start && files != nullptr) watch.energy_start = files->first_balance();
  watch.frames = input.start.outputs;
  // (3) The first problem counts: those after it follow from it.
  const auto keep = [&](const Result<void>& written) {
    if (!written && !answer.problem) answer.problem = written.error();
    return !answer.problem;
  };
  const model::Sink sink = [&](const model::Frame& frame) {
    watch.see(frame);
    if (answer.problem || (files != nullptr && !keep(files->append(frame)))) return false;
    return !given.on_frame || given.on_frame(frame);
  };
  // Files that cannot be written end the run as the caller does.
  // A flag of our own: the caller's is only read, for it may stop other runs too.
  std::atomic<bool> stop{given.stop != nullptr && given.stop->load()};
  dynamics::SimulateOptions options = record.mechanism().options;
  options.run.stop = &stop;
  options.on_step = [&](const dynamics::RunState& state) {
    // Steps that were fitted to the end are no place to continue from (RunState::fitted).
    if (files != nullptr && !state.fitted && !keep(files->step(state))) stop = true;
    if (given.on_step) {
      given.on_step({.engine = Engine::kRecursive,
                     .start_time = answer.start_time,
                     .time = state.state.time,
                     .end_time = options.run.end_time,
                     .loop_distance = watch.loop_distance,
                     .energy_error = watch.energy});
    }
    if (given.stop != nullptr && given.stop->load()) stop = true;
  };
  // (4) Everything above refers to the answer and the watch, neither of which moves before the run is over.
  dynamics::RunStatus status = dynamics::simulate(system, input.start, sink, options);
  add_status(status, watch, input.continued, record);
  // (5) Nothing moves without a reason, and the usual one is gravity along the wrong axis.
  if (status.end.state.time > answer.start_time && watch.fastest < kRest) {
    answer.end_notes.push_back(
        "Nothing moved: no force acts along what is free to move, and nothing starts with a velocity. Is gravity along "
        "the right axis?");
  }
  // Into the record before finish() writes it.
  fail_for_files(answer.problem, record);
  if (files != nullptr) {
    // The state to resume from, before the steps that were fitted to the end: a later end gets the same bits.
    keep(files->finish(status.resume, record));
    answer.files = files->files();
  }
  end_answer(record, std::move(status), answer);
  return answer;
}

}  // namespace espalier::study::detail
