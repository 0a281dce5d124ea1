#pragma once

// What both engines of `simulate` ask of its words, and what they write down of a run before it begins.

#include <filesystem>
#include <optional>
#include <string>

#include "apps/espalier/commands.hpp"
#include "espalier/base/result.hpp"
#include "espalier/files/folder_lock.hpp"

namespace espalier::app {

tl::unexpected<Error> bad_option(std::string message);

// --end, --output-step, --tolerance, --loop-tolerance, --step and --checkpoint-every.
Result<void> check_numbers(const SimulateCommand& command);

Result<void> check_model_named(const SimulateCommand& command);

// Where a run that has reached `time` is to go on: an error where it has come to its end.
Result<void> check_end(const SimulateCommand& command, bool has_ended, double time);

// The model of the run in `restart` has another hash than run.json says.
tl::unexpected<Error> another_model(const SimulateCommand& command);

// Between two checkpoints, of wall time [s]; 0: none but at the end.
double checkpoint_interval(const SimulateCommand& command);

// Takes the lock of the folder to go on with, before anything of it is read.
Result<void> lock_folder(const SimulateCommand& command, std::optional<files::FolderLock>& lock);

// Where the files go; empty: no files are written.
std::string folder_of(const SimulateCommand& command);

// What is known before the run.
template <class Record>
void begin_record(const SimulateCommand& command, const std::string& model_name, std::uint64_t model_hash,
                  Record& record) {
  std::error_code code;
  record.command = command.line;
  record.version = ESPALIER_VERSION;
  record.model_file = std::filesystem::absolute(command.model, code).lexically_normal().string();
  record.read = command.read;
  record.model_name = model_name;
  record.model_hash = model_hash;
}

// A run that goes on reads the model as it was read, unless the command says otherwise.
template <class Record>
void take_model(const Record& record, SimulateCommand& command) {
  if (command.model.empty()) command.model = record.model_file;
  if (!command.read.base) command.read.base = record.read.base;
  if (command.read.spherical.empty()) command.read.spherical = record.read.spherical;
  command.accept.insert(command.accept.end(), record.accept.begin(), record.accept.end());
}

}  // namespace espalier::app
