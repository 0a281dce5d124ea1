#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/machine_place.hpp"
#include "apps/espalier/output.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/record/machine_file.hpp"
#include "espalier/study/calibrate.hpp"
#include "espalier/study/documents.hpp"

namespace espalier::app {
namespace {

std::string calibration_text(const study::Calibration& found, bool all) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < plan::kWorkKinds; ++k)
    rows.push_back({std::string(plan::work_names()[k]), fmt::format("{:.3g}", 1e9 * found.machine.seconds[k])});
  rows.push_back({"synchronisation", fmt::format("{:.3g}", 1e9 * found.machine.synchronisation)});
  std::string text = "Constants of this machine\n" + table({"part", "ns"}, rows);
  if (all) {
    rows.clear();
    for (const study::TreeTiming& timing : found.timings) {
      rows.push_back({timing.name, fmt::format("{:.4g}", 1e6 * timing.seconds),
                      fmt::format("{:.4g}", 1e6 * timing.predicted),
                      fmt::format("{:+.1f}", 100 * (timing.predicted / timing.seconds - 1))});
    }
    text += "\n" + table({"mechanism, tree", "measured us", "predicted us", "%"}, rows);
  }
  text +=
      fmt::format("\n{} trees of generated mechanisms were timed; the prediction is {:.0f} % off, {:.0f} % at most.\n",
                  found.timings.size(), 100 * found.typical_error, 100 * found.largest_error);
  return text + fmt::format("Written: {}\nNext: espalier plan FILE --objective time\n", found.written);
}

}  // namespace

std::string machine_place() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  };
  if (!variable("XDG_CONFIG_HOME").empty()) return variable("XDG_CONFIG_HOME") + "/espalier/machine.json";
  return variable("HOME").empty() ? "" : variable("HOME") + "/.config/espalier/machine.json";
}

int run_calibrate(const PlanCommand& command) {
  if (!command.model.empty()) {
    return report({ErrorCode::kOption, "--calibrate measures the machine and takes no model; plan in a second run", {}},
                  command.json);
  }
  const std::string file = command.machine.empty() ? machine_place() : command.machine;
  if (file.empty()) {
    return report(
        {ErrorCode::kOption, "there is no home folder to keep the constants in; name a file with --machine", {}},
        command.json);
  }
  study::Calibration found = study::calibrate();
  // Where the folder cannot be made, the file cannot be written, and that says why.
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), ignored);
  const Result<void> written = files::write_text_file(file, record::machine_json(found.machine));
  if (!written) return report(written.error(), command.json);
  found.written = file;
  return print_result(command.json ? study::to_json(found) : calibration_text(found, command.all));
}

}  // namespace espalier::app
