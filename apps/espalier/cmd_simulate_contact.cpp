// simulate, where the contact engine moves the bodies.

#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/contact_report.hpp"
#include "apps/espalier/output.hpp"
#include "espalier/comm/collectives.hpp"

namespace espalier::app {
namespace {

int exit_code(const SimulateCommand& command, const ContactRun& run) {
  if (run.problem || run.record.outcome == "failed") return kSolverFailed;
  if (run.signal != 0 && run.record.outcome == "stopped") return 128 + run.signal;
  return command.strict && run.record.unconverged > 0 ? kSolverFailed : kDone;
}

// What went wrong, on standard error, whatever else is printed.
void print_problems(const SimulateCommand& command, const ContactRun& run) {
  const std::string& file = run.record.model_file;
  if (run.problem) {
    say(fmt::format("espalier: {}\n", to_string(*run.problem)));
  } else if (run.record.outcome == "failed") {
    say(fmt::format("espalier: {}: {}\n", file, run.record.message));
  }
  const bool says = !command.quiet && !command.json;
  if (run.record.unconverged > 0 && (!says || command.strict)) {
    say(fmt::format("espalier: {}: {}\n", file, unconverged_text(run.record)));
  }
}

int print_run(const SimulateCommand& command, const ContactInput& input, const ContactRun& run) {
  print_problems(command, run);
  const int printed = command.json     ? print_result(contact_json(input, run))
                      : !command.quiet ? print_result(contact_text(input, run))
                                       : kDone;
  const int code = exit_code(command, run);
  return code != kDone ? code : printed;
}

}  // namespace

int run_simulate_contact(const comm::Comm& comm, const SimulateCommand& command, std::optional<model::ModelSpec> spec) {
  const auto fail = [&](const Error& error, int code) {
    if (comm.is_root()) report(error, command.json);
    return code;
  };
  Result<ContactInput> input = read_contact_input(comm, command, std::move(spec));
  if (!input) return fail(input.error(), kBadInput);
  if (comm.is_root() && !command.quiet && !command.json) print(contact_head(*input, comm.size()));
  const Result<ContactRun> run = run_contact(comm, *input, command);
  if (!run) return fail(run.error(), run.error().code == ErrorCode::kFile ? kSolverFailed : kBadInput);
  const int code = comm.is_root() ? print_run(command, *input, *run) : kDone;
  return comm::broadcast(comm, code);
}

}  // namespace espalier::app
