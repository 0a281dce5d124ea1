#include "apps/espalier/simulate_text.hpp"

#include <fmt/format.h>

#include "espalier/base/text.hpp"

namespace espalier::app {

std::string problem_text(const study::SimulateAnswer& answer, const std::string& file, bool doubts) {
  std::string text;
  if (answer.problem) {
    text = fmt::format("espalier: {}\n", to_string(*answer.problem));
  } else if (answer.outcome == model::Outcome::kFailed) {
    text = fmt::format("espalier: {}: {}\n", file, answer.message);
  }
  const std::string unconverged = study::unconverged_text(answer);
  return unconverged.empty() || !doubts ? text : text + fmt::format("espalier: {}: {}\n", file, unconverged);
}

std::string way_out_text(const std::string& folder) {
  if (folder.empty()) return "no files were asked for";
  return fmt::format("continue from the last checkpoint: espalier simulate --restart {}", shell_word(folder));
}

}  // namespace espalier::app
