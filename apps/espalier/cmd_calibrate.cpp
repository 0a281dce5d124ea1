#include <filesystem>
#include <system_error>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/wording.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/record/plan_file.hpp"
#include "espalier/study/calibrate.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/text.hpp"

namespace espalier::app {

int run_calibrate(const PlanCommand& command) {
  if (!command.model.empty()) {
    return report({ErrorCode::kOption, "--calibrate measures the machine and takes no model; plan in a second run", {}},
                  command.json);
  }
  const std::string file = command.machine.empty() ? record::machine_place() : command.machine;
  if (file.empty()) {
    return report(
        {ErrorCode::kOption, "there is no home folder to keep the constants in; name a file with --machine", {}},
        command.json);
  }
  study::Calibration found = study::calibrate();
  // Where the folder cannot be made, the file cannot be written, and that says why.
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), ignored);
  const Result<void> written = files::write_text_file(
      file, record::machine_json(found.machine, plan::PredictionSpread{found.typical_error, found.largest_error}));
  if (!written) return report(written.error(), command.json);
  found.written = file;
  if (command.json) return print_result(study::to_json(found));
  study::TextOptions text = text_options(command.all);
  // A plan looks for the constants in their usual place alone.
  text.wording.call = [&](study::Advice advice) {
    if (!command.machine.empty()) advice.options.emplace_back("machine", command.machine);
    return call_text(advice);
  };
  return print_result(study::to_text(found, text));
}

}  // namespace espalier::app
