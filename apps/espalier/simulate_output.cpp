#include "apps/espalier/simulate_output.hpp"

#include <fmt/format.h>

#include "apps/espalier/output.hpp"
#include "apps/espalier/wording.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/text.hpp"
#include "espalier/study/view.hpp"

namespace espalier::app {
namespace {

using study::SimulateAnswer;

int exit_code(const SimulateCommand& command, const SimulateAnswer& answer, int signal) {
  if (answer.problem || answer.outcome == model::Outcome::kFailed) return kSolverFailed;
  if (signal != 0 && answer.outcome == model::Outcome::kStopped) return 128 + signal;
  return command.strict && study::is_doubtful(answer) ? kSolverFailed : kDone;
}

}  // namespace

int print_answer(const SimulateCommand& command, const Outcome& outcome) {
  if (!outcome.answer) {
    report(outcome.answer.error(), command.json);
    return outcome.begun && outcome.answer.error().code == ErrorCode::kFile ? kSolverFailed : kBadInput;
  }
  const SimulateAnswer& answer = *outcome.answer;
  const std::string& file = command.model.empty() ? answer.file : command.model;
  say_problem(study::problem_text(answer, file));
  // The report tells it too.
  if (command.quiet || command.json || command.strict) say_problem(study::doubt_text(answer, file));
  if (!command.page.empty()) {
    const study::ViewOptions view{
        command.load, command.model, {}, command.line, study::to_text(answer, text_options())};
    const Result<void> written = write_page(command.page, study::view(answer.folder, view));
    if (!written) return report(written.error(), command.json);
    if (!command.quiet && !command.json) print(fmt::format("Wrote {}\n", command.page));
  }
  const int printed = command.json     ? print_result(study::to_json(answer))
                      : !command.quiet ? print_result(study::to_text(answer, text_options()))
                                       : kDone;
  const int code = exit_code(command, answer, outcome.signal);
  return code != kDone ? code : printed;
}

}  // namespace espalier::app
