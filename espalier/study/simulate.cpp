#include "espalier/study/simulate.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/study/detail/mechanism_run.hpp"
#include "espalier/study/detail/scene_run.hpp"
#include "espalier/study/detail/simulate_options.hpp"

namespace espalier::study {
namespace {

// Collective. One process moves a mechanism; where there are more, check_engine_options has refused.
template <class Read>
Result<SimulateAnswer> run_on_root(const comm::Comm& comm, const SimulateOptions& options, Read read) {
  // The others wait here for what the root has to say.
  if (!comm.is_root()) return comm::agree_with_root(comm, Result<SimulateAnswer>(SimulateAnswer()));
  // An error travels to the other ranks like an answer does, so that all of them end in the same way.
  Result<detail::MechanismInput> input = read();
  return comm::agree_with_root(comm, input ? detail::run_mechanism(*std::move(input), options)
                                           : Result<SimulateAnswer>(tl::unexpected(input.error())));
}

// On the root: the engine of the run in the folder, which options may not contradict.
Result<Engine> engine_of_folder(const Restart& from, const SimulateOptions& options) {
  // What cannot be read is said by whoever reads it to go on.
  const Result<record::RunRecord> record = record::read_run(from.folder);
  // A folder without a readable record goes to the recursive engine, whose reader says what is wrong.
  const bool is_scene = record && record->kind() == record::RunKind::kScene;
  const Engine engine = is_scene ? Engine::kContact : Engine::kRecursive;
  if (options.engine == Engine::kAuto || options.engine == engine) return engine;
  return make_option_error(
      "engine", fmt::format("the run in {} was not made by `engine` {}", from.folder.string(), word_of(options.engine)),
      "leave it out");
}

}  // namespace

Engine engine_of(const LoadedModel& model, const SimulateOptions& options) {
  // What was asked for wins over the file: a scene may be run with bodies that move through each other.
  if (options.engine != Engine::kAuto) return options.engine;
  return model.spec.contact && model.spec.contact->on ? Engine::kContact : Engine::kRecursive;
}

// (1) Which engine; (2) whether it can do what is asked; (3) the run.
Result<SimulateAnswer> simulate(const comm::Comm& comm, const LoadedModel& model, const SimulateOptions& options) {
  // (1) The root decides, so that all ranks take the same way.
  const Engine engine = comm::broadcast(comm, engine_of(model, options));
  // (2) Before anything is computed, and the same on every rank.
  const EngineUse use{engine, EngineUse::Runs::kOne, comm.size()};
  for (const Result<void>& checked : {check_engine_options(options, use), detail::check_numbers(options)}) {
    ESPALIER_TRY(checked);
  }
  if (engine == Engine::kRecursive) {
    return run_on_root(comm, options, [&] { return detail::read_mechanism(model, options); });
  }
  // (3) A scene needs all ranks, from reading on.
  Result<detail::SceneInput> input = detail::read_scene(comm, model, options);
  ESPALIER_TRY(input);
  return detail::run_scene(comm, *std::move(input), options);
}

// (1) Which engine the folder is of; (2) and (3) as above.
Result<SimulateAnswer> restart(const comm::Comm& comm, const Restart& from, const SimulateOptions& options) {
  // (1) The root alone reads the folder, and tells the others.
  const Result<Engine> found =
      comm::agree_with_root(comm, comm.is_root() ? engine_of_folder(from, options) : Engine::kAuto);
  ESPALIER_TRY(found);
  const Engine engine = comm::broadcast(comm, *found);
  const EngineUse use{engine, EngineUse::Runs::kContinued, comm.size()};
  for (const Result<void>& checked : {check_engine_options(options, use), detail::check_numbers(options)}) {
    ESPALIER_TRY(checked);
  }
  if (engine == Engine::kRecursive) {
    return run_on_root(comm, options, [&] { return detail::read_mechanism_again(from, options); });
  }
  Result<detail::SceneInput> input = detail::read_scene_again(comm, from, options);
  ESPALIER_TRY(input);
  return detail::run_scene(comm, *std::move(input), options);
}

double real_time_factor(const SimulateAnswer& answer) {
  // Of this part alone, as the time that was simulated is.
  const double seconds = answer.mechanism ? answer.mechanism->status.seconds : answer.scene->status.seconds;
  return seconds > 0 ? (answer.time - answer.start_time) / seconds : 0;
}

double imbalance(const std::vector<model::RankLoad>& ranks) {
  double sum = 0, most = 0;
  for (const model::RankLoad& rank : ranks) {
    sum += rank.busy;
    most = std::max(most, rank.busy);
  }
  // The busiest rank beside the mean; 1 where nothing was measured.
  return sum > 0 ? most * static_cast<double>(ranks.size()) / sum : 1;
}

std::optional<double> relative_energy_error(const MechanismAnswer& mechanism) {
  // No energy moved, or it is no number: a quotient would be none either.
  if (!(mechanism.energy_scale > 0)) return std::nullopt;
  return mechanism.energy_error / mechanism.energy_scale;
}

std::optional<std::string> energy_problem(const MechanismAnswer& mechanism) {
  // Errors of steps add up over a run: a hundred times the tolerance of one is usual at the end of a long one.
  constexpr double kMost = 100;
  const double tolerance = mechanism.options.tolerance;
  const std::optional<double> relative = relative_energy_error(mechanism);
  if (!relative || !(*relative > kMost * tolerance)) return std::nullopt;
  return fmt::format(
      "The energy balance is off by {:.2g} of the energy that moved, {:.2g} times the tolerance of {}: do not trust "
      "this run; try a smaller tolerance{}.",
      *relative, *relative / tolerance, number_text(tolerance),
      // A fixed step has no tolerance to make smaller.
      mechanism.integrator == dynamics::Integrator::kFixed ? " with another integrator, or a shorter step"
                                                           : " or another integrator");
}

std::string unconverged_text(const SimulateAnswer& answer) {
  // Steps above the tolerance are counted and not an error: with few of them an answer is still one.
  if (!answer.scene || answer.scene->unconverged == 0) return "";
  return fmt::format("{} of {} steps did not reach the tolerance {}; the worst is at {:.2g}", answer.scene->unconverged,
                     answer.steps, number_text(answer.tolerance), answer.scene->worst_residual);
}

std::string problem_text(const SimulateAnswer& answer, const std::string& file) {
  if (answer.problem) return to_string(*answer.problem);
  return answer.outcome == model::Outcome::kFailed ? fmt::format("{}: {}", file, answer.message) : "";
}

std::string doubt_text(const SimulateAnswer& answer, const std::string& file) {
  const std::string unconverged = unconverged_text(answer);
  return unconverged.empty() ? "" : fmt::format("{}: {}", file, unconverged);
}

bool is_doubtful(const SimulateAnswer& answer) {
  return !unconverged_text(answer).empty() || (answer.mechanism && energy_problem(*answer.mechanism));
}

std::string next_command(const SimulateAnswer& answer) {
  if (answer.folder.empty()) return "";
  const std::string again = fmt::format("espalier simulate --restart {}", shell_word(answer.folder));
  // What was stopped continues to its own end; what is done needs a later one.
  if (answer.outcome != model::Outcome::kDone) return again;
  // Twice as long is a command that works as it stands; who copies it can change the number.
  return fmt::format("{} --end {}", again, number_text(2 * answer.end_time));
}

}  // namespace espalier::study
