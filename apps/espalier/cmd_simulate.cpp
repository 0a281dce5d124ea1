#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/contact_run.hpp"
#include "apps/espalier/launch.hpp"
#include "apps/espalier/lost_rank.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/simulate_report.hpp"
#include "espalier/comm/agree.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/comm/session.hpp"

namespace espalier::app {
namespace {

int exit_code(const SimulateRun& run, bool strict) {
  if (strict && energy_problem(run.record)) return kSolverFailed;
  if (run.problem || run.record.outcome == "failed") return kSolverFailed;
  return run.signal != 0 && run.record.outcome == "stopped" ? 128 + run.signal : kDone;
}

int run_mechanism(const SimulateCommand& command, std::optional<model::ModelSpec> spec) {
  const Result<SimulateInput> input = read_simulate_input(command, std::move(spec));
  if (!input) return report(input.error(), command.json);
  const bool says = !command.quiet && !command.json;
  if (says) print(simulate_head(*input));
  const Result<SimulateRun> run = run_simulation(*input, command);
  if (!run) {
    report(run.error(), command.json);
    return run.error().code == ErrorCode::kFile ? kSolverFailed : kBadInput;
  }
  if (run->problem) say(fmt::format("espalier: {}\n", to_string(*run->problem)));
  if (run->record.outcome == "failed" && !run->problem) {
    say(fmt::format("espalier: {}: {}\n", command.model, run->record.message));
  }
  const int printed = command.json ? print_result(simulate_json(*input, *run))
                      : says       ? print_result(simulate_text(*input, *run))
                                   : kDone;
  const int code = exit_code(*run, command.strict);
  return code != kDone ? code : printed;
}

}  // namespace

int run_simulate(const SimulateCommand& command) {
  if (!command.sweep.empty() || !command.vary.empty()) return run_sweep(command);
  const comm::Session session;
  if (!session.is_parallel() && command.ranks != 1) return launch(command.words, command.ranks, command.json);
  const comm::Comm comm = comm::Comm::world();
  const LostRank lost(comm);
  Result<Engine> engine = comm::agree_with_root(comm, comm.is_root() ? choose_engine(command) : Engine());
  if (!engine) return comm.is_root() ? report(engine.error(), command.json) : kBadInput;
  if (comm::broadcast(comm, engine->is_contact)) return run_simulate_contact(comm, command, std::move(engine->spec));
  // One process moves a mechanism: the others look on, and `ranks` says that they should not be there.
  SimulateCommand alone = command;
  if (comm.size() > 1) alone.ranks = comm.size();
  return comm::broadcast(comm, comm.is_root() ? run_mechanism(alone, std::move(engine->spec)) : kDone);
}

}  // namespace espalier::app
