#include "apps/espalier/simulate_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "apps/espalier/progress.hpp"
#include "apps/espalier/simulate_options.hpp"
#include "apps/espalier/stop_on_signal.hpp"

namespace espalier::app {
namespace {

const char* outcome_word(model::Outcome outcome) {
  switch (outcome) {
    case model::Outcome::kDone:
      return "done";
    case model::Outcome::kStopped:
      return "stopped";
    case model::Outcome::kFailed:
      return "failed";
  }
  return "";
}

// What rounding moves [rad/s] or [m/s].
constexpr double kRest = 1e-9;

// What the frames show, for the progress line and for runs that go on: the state does not know where the energy began.
struct Watch {
  std::optional<double> energy_start;
  double energy_error = 0;   // largest so far [J]
  double loop_distance = 0;  // of the last frame [m]
  double energy = 0;         // error of the last frame [J]
  double fastest = 0;        // of all coordinates and frames [rad/s] or [m/s]
  std::int64_t frames = 0;

  void see(const model::Frame& frame) {
    const double balance = frame.kinetic + frame.potential - frame.exchanged;
    if (!energy_start) energy_start = balance;
    energy = std::abs(balance - *energy_start);
    energy_error = std::max(energy_error, energy);
    loop_distance = frame.loop_distance;
    for (const double speed : frame.v) fastest = std::max(fastest, std::abs(speed));
    ++frames;
  }
};

// Adds what this part of the run did to what was done before.
void add_status(const dynamics::RunStatus& status, const Watch& watch, bool continued, record::RunRecord& record) {
  record.outcome = outcome_word(status.outcome);
  record.message = status.message;
  record.integrator = record::integrator_name(status.end.integrator);
  record.time = status.end.state.time;
  record.frames = watch.frames;
  record.steps += status.steps;
  record.rejected += status.rejected;
  record.evaluations += status.evaluations;
  record.loop_distance = std::max(record.loop_distance, status.loop_distance);
  record.loop_angle = std::max(record.loop_angle, status.loop_angle);
  record.energy_error = std::max({record.energy_error, watch.energy_error, continued ? 0 : status.energy_error});
  record.energy_scale = std::max(record.energy_scale, status.energy_scale);
  record.energy_start = watch.energy_start;
  record.seconds += status.seconds;
  record.state_hash = record::state_hash(status.end.state);
}

Result<std::optional<record::RunFolder>> open_folder(const SimulateInput& input, const SimulateCommand& command) {
  if (input.folder.empty()) return std::nullopt;
  const record::ResultLayout layout = record::make_layout(input.system);
  Result<record::RunFolder> folder = input.continued
                                     ? record::RunFolder::reopen(input.folder, input.record, layout, input.start)
                                     : record::RunFolder::create(input.folder, input.record, layout, input.start);
  ESPALIER_TRY(folder);
  folder->set_checkpoint_interval(checkpoint_interval(command));
  return std::optional(*std::move(folder));
}

}  // namespace

Result<SimulateRun> run_simulation(const SimulateInput& input, const SimulateCommand& command) {
  Result<std::optional<record::RunFolder>> folder = open_folder(input, command);
  ESPALIER_TRY(folder);
  record::RunFolder* files = *folder ? &**folder : nullptr;
  SimulateRun run;
  run.record = input.record;
  run.start_time = input.start.state.time;
  Watch watch;
  watch.energy_start = input.record.energy_start;
  // A run that was killed has not written it down.
  if (!watch.energy_start && files != nullptr) watch.energy_start = files->first_balance();
  watch.frames = input.start.outputs;
  const auto keep = [&](const Result<void>& written) {
    if (!written && !run.problem) run.problem = written.error();
    return !run.problem;
  };
  const model::Sink sink = [&](const model::Frame& frame) {
    watch.see(frame);
    return !run.problem && (files == nullptr || keep(files->append(frame)));
  };
  dynamics::SimulateOptions options = input.record.options;
  options.run.stop = StopOnSignal::wanted();
  // To the end of the last write: a signal that comes late must not cut it off.
  const StopOnSignal on_signal;
  {
    StatusLine line(command.quiet);
    options.on_step = [&](const dynamics::RunState& state) {
      if (files != nullptr && !state.fitted && !keep(files->step(state))) StopOnSignal::stop();
      if (line.is_due()) {
        line.show({state.state.time, run.start_time, options.run.end_time, watch.loop_distance, watch.energy});
      }
    };
    run.status = dynamics::simulate(input.system, input.start, sink, options);
  }
  run.signal = StopOnSignal::signal();
  add_status(run.status, watch, input.continued, run.record);
  if (run.status.end.state.time > run.start_time && watch.fastest < kRest) {
    run.notes.push_back(
        "Nothing moved: no force acts along what is free to move, and nothing starts with a velocity. Is gravity along "
        "the right axis?");
  }
  if (run.problem) {
    run.record.outcome = "failed";
    run.record.message = to_string(*run.problem);
  }
  if (files != nullptr) {
    keep(files->finish(run.status.resume, run.record));
    run.files = files->files();
  }
  return run;
}

}  // namespace espalier::app
