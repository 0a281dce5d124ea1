#include <utility>

#include <fmt/format.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/launch.hpp"
#include "apps/espalier/lost_rank.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/progress.hpp"
#include "apps/espalier/stop_on_signal.hpp"
#include "espalier/base/text.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/text.hpp"
#include "espalier/study/tune.hpp"

namespace espalier::app {
namespace {

study::TuneSettings make_settings(const TuneCommand& command) {
  return {command.model,       {command.read, command.accept}, command.study,   command.algorithm,
          command.population,  command.generations,            command.seed,    command.pareto,
          command.threads,     command.output,                 command.restart};
}

// The exit code of what was stopped.
int stopped_code() { return StopOnSignal::signal() != 0 ? 128 + StopOnSignal::signal() : kSolverFailed; }

int finish(const TuneCommand& command, const study::TuneAnswer& answer) {
  const std::string text = study::to_text(answer, {terminal_width()}), json = study::to_json(answer);
  const Result<std::vector<std::string>> written = study::write_tune_results(
      answer.job.folder, answer.job.space, answer.tuned,
      {fmt::format("Design search of {}", answer.job.record.model), command.line, text, json});
  if (!written) {
    report(written.error(), command.json);
    return kSolverFailed;
  }
  const int printed = command.json ? print_result(json) : command.quiet ? kDone : print_result(text);
  if (printed != kDone) return printed;
  return command.strict && !answer.tuned.stopped && !study::limits_held(answer) ? kSolverFailed : kDone;
}

// Not even the first generation was whole.
int finish_empty(const TuneCommand& command, const std::string& folder) {
  Error error{ErrorCode::kValue, "stopped in the first generation, before there was a design to keep", {}};
  error.hint = fmt::format("continue: espalier tune --restart {}", folder);
  report(error, command.json);
  return stopped_code();
}

int finish_on(const comm::Comm& comm, const TuneCommand& command, const study::TuneAnswer& answer) {
  if (answer.problem) {
    report(*answer.problem, command.json);
    return kSolverFailed;
  }
  if (answer.tuned.parameters.empty()) {
    return comm.is_root() ? finish_empty(command, answer.job.folder) : kSolverFailed;
  }
  const int done = comm.is_root() ? finish(command, answer) : kDone;
  return done != kDone || !answer.tuned.stopped ? done : stopped_code();
}

// The search with its line of progress.
Result<study::TuneAnswer> search(const comm::Comm& comm, const TuneCommand& command, study::TuneJob job) {
  const int generations = job.record.generations;
  int running = job.record.state.search.generation + 1;
  StatusLine line(command.quiet || !comm.is_root());
  study::TuneWatch watch;
  watch.on_generation = [&](const study::TuneState& state) {
    running = state.search.generation + 1;
    if (line.is_due()) line.show_text(study::progress_text(state, generations, line.seconds()));
  };
  watch.on_design = [&](std::size_t done, std::size_t of) {
    if (line.is_due()) line.show_text(study::generation_text(running, generations, done, of));
  };
  watch.stop = StopOnSignal::wanted();
  return study::run_tune(comm, std::move(job), watch);
}

}  // namespace

int run_tune(const TuneCommand& command) {
  const comm::Session session;
  if (!session.is_parallel() && command.ranks != 1) return launch(command.words, command.ranks, command.json);
  const comm::Comm comm = comm::Comm::world();
  const LostRank lost(comm);
  const auto fail = [&](const Error& error) { return comm.is_root() ? report(error, command.json) : kBadInput; };
  Result<study::TuneJob> job = study::open_tune(comm, make_settings(command));
  if (!job) return fail(job.error());
  for (const std::string& note : job->notes) {
    if (comm.is_root()) fmt::print(stderr, "espalier: {}\n", note);
  }
  LostRank::set_way_out(comm, "continue: espalier tune --restart " + shell_word(job->folder));
  const StopOnSignal on_signal;
  const Result<study::TuneAnswer> answer = search(comm, command, *std::move(job));
  return answer ? finish_on(comm, command, *answer) : fail(answer.error());
}

}  // namespace espalier::app
