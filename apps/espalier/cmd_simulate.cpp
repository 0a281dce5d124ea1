#include <algorithm>
#include <optional>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/wording.hpp"
#include "apps/espalier/progress.hpp"
#include "apps/espalier/simulate_output.hpp"
#include "apps/espalier/simulate_sweep.hpp"
#include "apps/espalier/simulate_words.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/comm/processes.hpp"
#include "espalier/study/text.hpp"

namespace espalier::app {
namespace {

using study::SimulateAnswer;

Outcome compute(const comm::Comm& comm, const SimulateCommand& command, study::SimulateOptions options) {
  const bool tells = comm.is_root() && !command.quiet;
  Outcome outcome;
  // From the first step to the last write: a signal that comes late must not cut that off.
  std::optional<comm::StopOnSignal> on_signal;
  std::optional<StatusLine> status;
  options.stop = comm::StopOnSignal::wanted();
  options.on_begin = [&](const SimulateAnswer& answer) {
    outcome.begun = true;
    if (tells && !command.json) print(study::head_text(answer, comm.size(), text_options()));
    comm::LostRank::set_way_out(comm, restart_text(answer.folder));
    on_signal.emplace();
    status.emplace(!tells);
  };
  options.on_step = [&](const study::RunProgress& progress) {
    if (status->is_due()) status->show_text(study::progress_text(progress, status->seconds()));
  };
  if (command.restart.empty()) {
    const Result<study::LoadedModel> model =
        comm::agree_with_root(comm, comm.is_root() ? study::load(command.model, command.load) : study::LoadedModel());
    outcome.answer =
        model ? study::simulate(comm, *model, options) : Result<SimulateAnswer>(tl::unexpected(model.error()));
  } else {
    outcome.answer = study::restart(comm, {command.restart, command.model, command.load}, options);
  }
  // One rank may have met its limit on time where the root has not.
  for (const int signal : comm::all_gather(comm, comm::StopOnSignal::signal())) {
    outcome.signal = std::max(outcome.signal, signal);
  }
  return outcome;
}

}  // namespace

int run_simulate(const SimulateCommand& typed) {
  const SimulateCommand command = with_model(typed);
  const Result<study::SimulateOptions> options = simulate_options(command);
  const comm::Session session;
  if (!session.is_parallel() && command.ranks != 1) return launch(command.words, command.ranks, command.json);
  const comm::Comm comm = comm::Comm::world();
  const comm::LostRank lost(comm);
  if (!options) return comm.is_root() ? report(options.error(), command.json) : kBadInput;
  if (!command.sweep.empty() || !command.vary.empty()) return run_sweep(comm, command, *options);
  const Outcome outcome = compute(comm, command, *options);
  return comm::broadcast(comm, comm.is_root() ? print_answer(command, outcome) : kDone);
}

}  // namespace espalier::app
