#pragma once

// What both engines do with the options of a run, and what they write down of it before it begins.

#include <filesystem>
#include <optional>
#include <string>

#include "espalier/base/result.hpp"
#include "espalier/files/folder_lock.hpp"
#include "espalier/record/run_record.hpp"
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
void begin_record(const SimulateOptions& options, const LoadedModel& model, std::uint64_t model_hash,
                  record::RunRecord& record);

// A run that continues reads the model as it was read, unless `from` says otherwise.
Result<LoadedModel> load_again(const record::RunRecord& record, const Restart& from);

// What an answer takes from the record of its run.
void take_record(const record::RunRecord& record, SimulateAnswer& answer);

// Files that could not be written end a run: the record says so.
void fail_for_files(const std::optional<Error>& problem, record::RunRecord& record);

}  // namespace espalier::study::detail
