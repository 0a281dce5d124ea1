#include "espalier/record/plan_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "espalier/base/text.hpp"
#include "espalier/files/json.hpp"
#include "espalier/files/text_file.hpp"

namespace espalier::record {
namespace {

constexpr const char* kSynchronisation = "synchronisation";
constexpr const char* kTypicalError = "typical_error";
constexpr const char* kLargestError = "largest_error";
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

std::string machine_json(const plan::MachineConstants& machine, const std::optional<plan::PredictionSpread>& spread) {
  nlohmann::ordered_json file;
  // By name and not by place: a file of a program with other kinds of work is refused for the one that is missing.
  for (std::size_t k = 0; k < plan::kWorkKinds; ++k) file[std::string(plan::work_names()[k])] = machine.seconds[k];
  file[kSynchronisation] = machine.synchronisation;
  if (spread) {
    file[kTypicalError] = spread->typical;
    file[kLargestError] = spread->largest;
  }
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

// Files of earlier programs do not say how well they predict, and one that was written by hand need not.
std::optional<plan::PredictionSpread> read_machine_spread_text(const std::string& text) {
  if (!read_machine_text(text, "")) return std::nullopt;
  const nlohmann::json file = nlohmann::json::parse(text, nullptr, false);
  const auto error = [&](const char* key) {
    const auto found = file.find(key);
    return found != file.end() && found->is_number() ? found->get<double>() : -1;
  };
  const plan::PredictionSpread spread = {error(kTypicalError), error(kLargestError)};
  return spread.typical >= 0 && spread.largest >= 0 ? std::optional(spread) : std::nullopt;
}

std::optional<plan::PredictionSpread> read_machine_spread(const std::string& path) {
  const Result<std::string> text = files::read_text_file(path);
  return text ? read_machine_spread_text(*text) : std::nullopt;
}

std::string machine_place() {
  const auto folder = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  };
  // By the XDG Base Directory Specification, which desktops and servers keep alike.
  if (!folder("XDG_CONFIG_HOME").empty()) return folder("XDG_CONFIG_HOME") + "/espalier/machine.json";
  return folder("HOME").empty() ? "" : folder("HOME") + "/.config/espalier/machine.json";
}

std::string measured_machine() {
  std::error_code ignored;
  const std::string place = machine_place();
  return std::filesystem::exists(place, ignored) ? place : "";
}

}  // namespace espalier::record
