#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/wording.hpp"
#include "apps/espalier/plan_words.hpp"
#include "apps/espalier/progress.hpp"
#include "espalier/base/text.hpp"
#include "espalier/draw/pages.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/text.hpp"
#include "espalier/study/view.hpp"

namespace espalier::app {
namespace {

Result<study::PlanAnswer> make_answer(const PlanCommand& command) {
  if (command.model.empty()) return make_error(ErrorCode::kOption, {}, "plan needs a model file");
  Result<study::PlanningOptions> options = planning_options(command);
  ESPALIER_TRY(options);
  // A log keeps the plan, and not how it was found.
  StatusLine line(isatty(STDERR_FILENO) != 1);
  options->watch = [&](const plan::Progress& progress) {
    if (!line.is_due()) return;
    line.show_text(
        fmt::format("plan: best {:.10g}, bound {:.10g}, {} nodes", progress.best, progress.bound, progress.nodes));
  };
  return study::plan_file(command.model, command.load, *options);
}

Result<void> write_files(const PlanCommand& command, const study::PlanAnswer& answer) {
  if (!command.output.empty()) ESPALIER_TRY(files::write_text_file(command.output, study::to_json(answer)));
  if (!command.page.empty()) {
    const std::string text = study::to_text(answer, text_options(command.all));
    const study::ViewOptions view{command.load, {}, command.keyframe, command.line, text};
    ESPALIER_TRY(write_page(command.page, study::view(answer, view)));
  }
  if (command.picture.empty()) return {};
  return files::write_text_file(command.picture, draw::draw_plan_svg(answer.plan));
}

// What was written, and what to do next.
std::string closing_lines(const PlanCommand& command, const study::PlanAnswer& answer) {
  const bool is_usual = answer.plan.objective == plan::Objective::kMccst;
  std::string text;
  for (const std::string& file : {command.output, command.picture, command.page}) {
    if (!file.empty()) text += fmt::format("Wrote {}\n", file);
  }
  if (command.picture.empty() && command.page.empty() && !command.explain && is_usual) {
    // All that was typed stays: another base, root or weight would explain another plan.
    text += fmt::format("Next: {} --explain --page plan.html\n", command.line);
  }
  return text;
}

}  // namespace

int run_plan(const PlanCommand& typed) {
  PlanCommand command = typed;
  command.page = page_of(command.page, command.picture, "--picture");
  const Result<study::PlanAnswer> answer = make_answer(command);
  if (!answer) return report(answer.error(), command.json);
  const Result<void> written = write_files(command, *answer);
  if (!written) return report(written.error(), command.json);
  if (command.json) return print_result(study::to_json(*answer));
  return print_result(study::to_text(*answer, text_options(command.all)) + closing_lines(command, *answer));
}

}  // namespace espalier::app
