#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/plan_input.hpp"
#include "apps/espalier/plan_report.hpp"
#include "espalier/base/printable.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/record/plan_file.hpp"
#include "espalier/draw/plan_picture.hpp"
#include "espalier/plan/trace.hpp"

namespace espalier::app {
namespace {

// One line on a terminal, rewritten twice a second, for searches that last.
class ProgressLine {
 public:
  void show(const plan::Progress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (!on_terminal_ || now - last_ < std::chrono::milliseconds(500)) return;
    last_ = now;
    shown_ = true;
    fmt::print(stderr, "\r\033[Kplan: best {:.10g}, bound {:.10g}, {} nodes", progress.best, progress.bound,
               progress.nodes);
    std::fflush(stderr);
  }
  ~ProgressLine() {
    if (shown_) std::fputs("\r\033[K", stderr);
  }

 private:
  bool on_terminal_ = isatty(STDERR_FILENO) == 1;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

Result<plan::Plan> make_plan(const PlanInput& input) {
  ProgressLine line;
  plan::PlanOptions options = input.options;
  options.watch = [&](const plan::Progress& progress) { line.show(progress); };
  return plan::make_plan(input.network, options);
}

Result<void> write_files(const PlanCommand& command, const plan::Plan& plan, const record::PlanDocument& document) {
  if (!command.output.empty()) {
    const Result<std::string> json = record::plan_json(plan, document);
    ESPALIER_TRY(json);
    const Result<void> written = files::write_text_file(command.output, *json);
    ESPALIER_TRY(written);
  }
  if (command.picture.empty()) return {};
  const bool page = command.picture.ends_with(".html") || command.picture.ends_with(".htm");
  return files::write_text_file(command.picture, page ? draw::draw_plan_html(plan) : draw::draw_plan_svg(plan));
}

std::string all_text(const PlanCommand& command, const PlanInput& input, const plan::Plan& plan,
                     const record::PlanDocument& document) {
  std::string text;
  if (document.trace) text += plan::trace_text(document.trace->network, document.trace->run) + "\n";
  text += plan_text(input.name, plan, given_text(input.options), document.workers, command.all);
  if (plan.objective == plan::Objective::kTime || command.weights == "measured")
    text += machine_text(input.machine, input.options.workers);
  if (command.front) text += front_text(plan);
  if (command.explain) text += explanation_text(plan, input.options, command.all);
  if (document.comparison) text += comparison_text(*document.comparison);
  if (command.matrices) text += matrices_text(plan);
  if (!input.open.empty()) text += wrapped("  OPEN      ", input.open, terminal_width());
  text += reader_text(input.reader, "  note      ");
  for (const std::string& file : {command.output, command.picture}) {
    if (!file.empty()) text += fmt::format("Written: {}\n", file);
  }
  if (command.picture.empty() && !command.explain && command.objective == "mccst") {
    text += fmt::format("Next: espalier plan {} --explain --picture plan.html\n", shell_word(command.model));
  }
  return text;
}

}  // namespace

int run_plan(const PlanCommand& command) {
  const Result<PlanInput> input = read_plan_input(command);
  if (!input) return report(input.error(), command.json);
  std::optional<plan::ExchangeTrace> trace;
  if (command.trace) {
    Result<plan::ExchangeTrace> traced = plan::trace_exchange(input->network, input->options);
    if (!traced) return report(traced.error(), command.json);
    trace = *std::move(traced);
  }
  const Result<plan::Plan> plan = make_plan(*input);
  if (!plan) return report(plan.error(), command.json);
  std::optional<plan::Comparison> comparison;
  if (command.compare) comparison = plan::compare_methods(input->network, input->options);
  const record::PlanDocument document{command.model,
                                  command.workers.value_or(4),
                                  command.matrices,
                                  command.explain ? &input->options : nullptr,
                                  trace ? &*trace : nullptr,
                                  comparison ? &*comparison : nullptr,
                                  input->machine,
                                  input->options.workers,
                                  &input->reader.notes,
                                  input->reader.accepted,
                                  given_text(input->options),
                                  input->open};
  const Result<void> written = write_files(command, *plan, document);
  if (!written) return report(written.error(), command.json);
  if (!command.json) return print_result(all_text(command, *input, *plan, document));
  const Result<std::string> json = record::plan_json(*plan, document);
  return json ? print_result(*json) : report(json.error(), true);
}

}  // namespace espalier::app
