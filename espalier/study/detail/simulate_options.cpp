#include "espalier/study/detail/simulate_options.hpp"

#include <cctype>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/record/run_folder.hpp"

namespace espalier::study::detail {
namespace {

Result<void> check_positive(const char* option, const std::optional<double>& value) {
  // Not given is right here: the engine has a default for everything that is asked in this file.
  if (!value || (*value > 0 && std::isfinite(*value))) return {};
  return make_option_error(option, fmt::format("`{}` is {}", option, number_text(*value)),
                           "it must be a positive number");
}

}  // namespace

Result<void> check_numbers(const SimulateOptions& options) {
  // An end of 0 asks for the start alone: its loops closed, its accelerations and reactions.
  const std::optional<double> end = options.end_time == 0 ? std::nullopt : options.end_time;
  // What only one engine bounds stands in run_bounds.cpp; these are wrong for both.
  for (const Result<void>& checked :
       {check_positive("end_time", end), check_positive("output_step", options.output_step),
        check_positive("tolerance", options.tolerance), check_positive("step", options.step),
        check_positive("loop_tolerance", options.loop_tolerance)}) {
    ESPALIER_TRY(checked);
  }
  // 0 is a number of seconds too: it asks for a checkpoint at the end alone.
  const double every = checkpoint_interval(options);
  if (every >= 0 && std::isfinite(every)) return {};
  return make_option_error("checkpoint_every", fmt::format("`checkpoint_every` is {}", number_text(every)),
                           "it must be a number of seconds");
}

// A minute of work is what a lost machine may cost by default; writing takes far less than that.
double checkpoint_interval(const SimulateOptions& options) {
  constexpr double kUsual = 60;
  return options.checkpoint_every.value_or(kUsual);
}

Result<void> check_end(const Restart& from, const SimulateOptions& options, bool has_ended, double time) {
  if (!has_ended) return {};
  // Two sentences for two mistakes: an end that lies behind, and a run continued without a word about how far.
  if (options.end_time) {
    return make_option_error("end_time",
                             fmt::format("`end_time` is {}, but the run has reached {} s",
                                         number_text(*options.end_time), number_text(time)),
                             "name a later time");
  }
  return make_option_error(
      "end_time", fmt::format("the run in {} is done (it reached {} s)", from.folder.string(), number_text(time)),
      "a later `end_time` continues it");
}

// Which of the two has changed cannot be known, so that both ways out are named.
tl::unexpected<Error> another_model(const Restart& from, const LoadedModel& model) {
  return make_error(
      ErrorCode::kValue, {model.file, 0, 0},
      fmt::format("not the model of the run in {}, or changed since; bring the old one back, or start a new run",
                  from.folder.string()));
}

Result<void> lock_folder(const std::filesystem::path& folder, std::optional<files::FolderLock>& lock) {
  // What is no run is refused by whoever reads it, in better words.
  if (!record::is_run_folder(folder)) return {};
  Result<files::FolderLock> taken = files::FolderLock::take(folder);
  ESPALIER_TRY(taken);
  // Into the caller's hands, since the lock must outlive the reading and the run.
  lock.emplace(*std::move(taken));
  return {};
}

void begin_record(const SimulateOptions& options, const LoadedModel& model, std::uint64_t model_hash,
                  record::RunRecord& record) {
  std::error_code code;
  record.command = options.command;
  // Bits are promised for one version: whoever compares two runs needs to know which made them.
  record.version = ESPALIER_VERSION;
  // Absolute: a restart may be called from another folder.
  record.model_file = std::filesystem::absolute(model.file, code).lexically_normal().string();
  // How a URDF was read decides what model it is; a restart must read it so again.
  record.read = model.options.read;
  record.model_name = model.model.name;
  record.model_hash = model_hash;
  record.csv = options.csv || !options.quantities.empty();
  record.quantities = options.quantities;
}

Result<LoadedModel> load_again(const record::RunRecord& record, const Restart& from) {
  LoadOptions options = from.load;
  // What is given now goes before what the run was begun with.
  if (!options.read.base) options.read.base = record.read.base;
  if (options.read.spherical.empty()) options.read.spherical = record.read.spherical;
  // Words add up: what was accepted once need not be accepted again, and more may be.
  options.accept.insert(options.accept.end(), record.accept.begin(), record.accept.end());
  // A model that was moved since can be named; its hash is compared by the caller.
  return load(from.model.empty() ? record.model_file : from.model, options);
}

// Field by field in one place, so that what a report says and what run.json says are the same.
void take_record(const record::RunRecord& record, SimulateAnswer& answer) {
  answer.model = record.model_name;
  answer.file = record.model_file;
  answer.outcome = record.outcome;
  answer.message = record.message;
  answer.time = record.time;
  answer.end_time = record.options().end_time;
  answer.frames = record.frames;
  answer.steps = record.steps;
  answer.seconds = record.seconds;
  answer.state_hash = record.state_hash;
}

void fail_for_files(const std::optional<Error>& problem, record::RunRecord& record) {
  if (!problem) return;
  // Even where the motion was computed to its end: what is on disk is not the whole of it.
  record.outcome = model::Outcome::kFailed;
  record.message = to_string(*problem);
}

std::string sentence(std::string text) {
  // Notes of the engines are parts of sentences, so that other messages can contain them.
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ".";
}

}  // namespace espalier::study::detail
