#pragma once

// What both engines do with the options of a run, and what they write down of it before it begins.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/files/folder_lock.hpp"
#include "espalier/study/simulation.hpp"

namespace espalier::study::detail {

// Numbers that must be positive where they are given.
Result<void> check_numbers(const SimulateOptions& options);

// Between two checkpoints, of wall time [s]; 0: none but at the end.
double checkpoint_interval(const SimulateOptions& options);

// Where a run that has reached `time` is to continue: an error where it has come to its end.
Result<void> check_end(const Restart& from, const SimulateOptions& options, bool has_ended, double time);

// The model of the run in `from` has another hash than run.json says.
tl::unexpected<Error> another_model(const Restart& from, const LoadedModel& model);

// Takes the lock of the folder of a run that continues, before anything of it is read.
Result<void> lock_folder(const std::filesystem::path& folder, std::optional<files::FolderLock>& lock);

// "The loops close." of "the loops close".
std::string sentence(std::string text);

// What is known before the run.
template <class Record>
void begin_record(const SimulateOptions& options, const LoadedModel& model, std::uint64_t model_hash, Record& record) {
  std::error_code code;
  record.command = options.command;
  record.version = ESPALIER_VERSION;
  record.model_file = std::filesystem::absolute(model.file, code).lexically_normal().string();
  record.read = model.options.read;
  record.model_name = model.model.name;
  record.model_hash = model_hash;
}

// A run that continues reads the model as it was read, unless `from` says otherwise.
template <class Record>
Result<LoadedModel> load_again(const Record& record, const Restart& from) {
  LoadOptions options = from.load;
  if (!options.read.base) options.read.base = record.read.base;
  if (options.read.spherical.empty()) options.read.spherical = record.read.spherical;
  options.accept.insert(options.accept.end(), record.accept.begin(), record.accept.end());
  return load(from.model.empty() ? record.model_file : from.model, options);
}

// What an answer takes from the record of its run.
template <class Record>
void take_record(const Record& record, SimulateAnswer& answer) {
  answer.model = record.model_name;
  answer.file = record.model_file;
  answer.outcome = record.outcome;
  answer.message = record.message;
  answer.time = record.time;
  answer.end_time = record.options.run.end_time;
  answer.frames = record.frames;
  answer.steps = record.steps;
  answer.seconds = record.seconds;
  answer.state_hash = record.state_hash;
}

// Files that could not be written end a run: the record says so.
template <class Record>
void fail_for_files(const std::optional<Error>& problem, Record& record) {
  if (!problem) return;
  record.outcome = "failed";
  record.message = to_string(*problem);
}

}  // namespace espalier::study::detail
