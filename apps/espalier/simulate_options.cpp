#include "apps/espalier/simulate_options.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/record/run_folder.hpp"

namespace espalier::app {
namespace {

Result<void> check_positive(const char* option, const std::optional<double>& value) {
  if (!value || (*value > 0 && std::isfinite(*value))) return {};
  return bad_option(fmt::format("{} is {}; it must be a positive number", option, number_text(*value)));
}

}  // namespace

tl::unexpected<Error> bad_option(std::string message) { return make_error(ErrorCode::kOption, {}, std::move(message)); }

Result<void> check_numbers(const SimulateCommand& command) {
  // An end of 0 asks for the start alone: its loops closed, its accelerations and reactions.
  const std::optional<double> end = command.end == 0 ? std::nullopt : command.end;
  for (const Result<void>& checked :
       {check_positive("--end", end), check_positive("--output-step", command.output_step),
        check_positive("--tolerance", command.tolerance), check_positive("--step", command.step),
        check_positive("--loop-tolerance", command.loop_tolerance)}) {
    ESPALIER_TRY(checked);
  }
  const double every = checkpoint_interval(command);
  if (every >= 0 && std::isfinite(every)) return {};
  return bad_option(fmt::format("--checkpoint-every is {}; it must be a number of seconds", number_text(every)));
}

double checkpoint_interval(const SimulateCommand& command) {
  constexpr double kUsual = 60;
  return command.checkpoint_every.value_or(kUsual);
}

Result<void> check_model_named(const SimulateCommand& command) {
  if (!command.restart.empty() || !command.model.empty()) return {};
  return bad_option("no model is named: espalier simulate MODEL, or espalier simulate --restart DIR");
}

Result<void> check_end(const SimulateCommand& command, bool has_ended, double time) {
  if (!has_ended) return {};
  if (command.end) {
    return bad_option(fmt::format("--end is {}, but the run has reached {} s; name a later time",
                                  number_text(*command.end), number_text(time)));
  }
  return bad_option(fmt::format("the run in {} is done (it reached {} s); --end S goes on to a later time",
                                command.restart, number_text(time)));
}

tl::unexpected<Error> another_model(const SimulateCommand& command) {
  return make_error(
      ErrorCode::kValue, {command.model, 0, 0},
      fmt::format("not the model of the run in {}, or changed since; bring the old one back, or start a new run",
                  command.restart));
}

Result<void> lock_folder(const SimulateCommand& command, std::optional<files::FolderLock>& lock) {
  if (!record::is_run_folder(command.restart)) return {};
  Result<files::FolderLock> taken = files::FolderLock::take(command.restart);
  ESPALIER_TRY(taken);
  lock.emplace(*std::move(taken));
  return {};
}

std::string folder_of(const SimulateCommand& command) {
  if (command.no_files) return "";
  if (!command.output.empty()) return command.output;
  return record::new_run_folder(std::filesystem::path(command.model).stem().string()).string();
}

}  // namespace espalier::app
