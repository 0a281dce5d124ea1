#include "espalier/record/plan_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "espalier/base/text.hpp"
#include "espalier/files/json.hpp"
#include "espalier/files/text_file.hpp"

namespace espalier::record {
namespace {

constexpr const char* kSynchronisation = "synchronisation";
// Of one operation. Times of many are added and multiplied: beyond this sums would not be numbers.
constexpr double kLongest = 1000;  // [s]

// A file that calibration did not write, or not to its end.
tl::unexpected<Error> unfit(ErrorCode code, const std::string& file, std::string message) {
  return tl::unexpected(
      Error{code, std::move(message), {file, 0, 0}, "machine", "write the file again with `calibrate`"});
}

Result<double> read_seconds(const nlohmann::json& file, const std::string& key, const std::string& name) {
  const auto found = file.find(key);
  // A cost that is left out would count as free, and the plan lean on it.
  if (found == file.end()) return unfit(ErrorCode::kName, name, fmt::format("{} is missing", in_quotes(key)));
  if (!found->is_number()) {
    return make_error(ErrorCode::kType, {name, 0, 0}, fmt::format("{} must be a number of seconds", in_quotes(key)));
  }
  const auto seconds = found->get<double>();
  // Written so that NaN is refused as well.
  if (seconds >= 0 && seconds <= kLongest) return seconds;
  return unfit(ErrorCode::kValue, name,
               fmt::format("{} is {}; it must be a number of seconds from 0 to {}", in_quotes(key),
                           number_text(seconds), kLongest));
}

}  // namespace

std::string machine_json(const plan::MachineConstants& machine) {
  nlohmann::ordered_json file;
  // By name and not by place: a file of a program with other kinds of work is refused for the one that is missing.
  for (std::size_t k = 0; k < plan::kWorkKinds; ++k) file[std::string(plan::work_names()[k])] = machine.seconds[k];
  file[kSynchronisation] = machine.synchronisation;
  return file.dump(1) + "\n";
}

Result<plan::MachineConstants> read_machine_text(const std::string& text, const std::string& name) {
  // Levels and values are counted before the parser makes a tree of them.
  const Result<void> small = files::check_json_text(text, name);
  ESPALIER_TRY(small);
  const nlohmann::json file = nlohmann::json::parse(text, nullptr, false);
  if (!file.is_object()) {
    return unfit(ErrorCode::kSyntax, name, "not the constants of a machine");
  }
  plan::MachineConstants machine;
  for (std::size_t k = 0; k < plan::kWorkKinds; ++k) {
    const Result<double> seconds = read_seconds(file, std::string(plan::work_names()[k]), name);
    ESPALIER_TRY(seconds);
    machine.seconds[k] = *seconds;
  }
  const Result<double> synchronisation = read_seconds(file, kSynchronisation, name);
  ESPALIER_TRY(synchronisation);
  machine.synchronisation = *synchronisation;
  return machine;
}

Result<plan::MachineConstants> read_machine(const std::string& path) {
  const Result<std::string> text = files::read_text_file(path);
  ESPALIER_TRY(text);
  return read_machine_text(*text, path);
}

}  // namespace espalier::record
