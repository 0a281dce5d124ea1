#include <cstdio>

#include <fmt/format.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/contact_input.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/simulate_report.hpp"

namespace espalier::app {
namespace {

int exit_code(const SimulateRun& run) {
  if (run.problem || run.record.outcome == "failed") return kSolverFailed;
  return run.signal != 0 && run.record.outcome == "stopped" ? 128 + run.signal : kDone;
}

}  // namespace

int run_simulate(const SimulateCommand& command) {
  if (!command.sweep.empty() || !command.vary.empty()) return run_sweep(command);
  if (wants_contact(command)) return run_simulate_contact(command);
  const Result<SimulateInput> input = read_simulate_input(command);
  if (!input) return report(input.error(), command.json);
  const bool says = !command.quiet && !command.json;
  if (says && !print(simulate_head(*input))) return print_result("");
  const Result<SimulateRun> run = run_simulation(*input, command);
  if (!run) {
    report(run.error(), command.json);
    return run.error().code == ErrorCode::kFile ? kSolverFailed : kBadInput;
  }
  if (run->problem) fmt::print(stderr, "espalier: {}\n", to_string(*run->problem));
  if (run->record.outcome == "failed" && !run->problem) {
    fmt::print(stderr, "espalier: {}: {}\n", command.model, run->record.message);
  }
  const int printed = command.json ? print_result(simulate_json(*input, *run))
                      : says       ? print_result(simulate_text(*input, *run))
                                   : kDone;
  const int code = exit_code(*run);
  return code != kDone ? code : printed;
}

}  // namespace espalier::app
