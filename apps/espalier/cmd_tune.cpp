#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/progress.hpp"
#include "apps/espalier/tune_words.hpp"
#include "apps/espalier/wording.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/comm/processes.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/study/documents.hpp"

namespace espalier::app {
namespace {

// The exit code of what was stopped.
int stopped_code() { return comm::StopOnSignal::signal() != 0 ? 128 + comm::StopOnSignal::signal() : kSolverFailed; }

// On the root.
int finish(const TuneCommand& command, const study::TuneAnswer& answer) {
  if (answer.problem) return report(*answer.problem, command.json), kSolverFailed;
  // Not even the first generation was whole.
  if (answer.tuned.parameters.empty()) {
    Error error{ErrorCode::kValue, "stopped in the first generation, before there was a design to keep", {}};
    error.hint = "continue: " + continue_text(command, answer.job.folder);
    return report(error, command.json), stopped_code();
  }
  if (!command.page.empty()) {
    // The page stands in the folder of the search, with its charts beside it.
    const Result<std::string> page = files::read_text_file(std::filesystem::path(answer.job.folder) / "index.html");
    const Result<void> written = page ? files::write_text_file(command.page, *page) : tl::unexpected(page.error());
    if (!written) return report(written.error(), command.json);
  }
  const int printed = command.json    ? print_result(study::to_json(answer))
                      : command.quiet ? kDone
                                      : print_result(study::to_text(answer, tune_text(command)));
  if (printed != kDone) return printed;
  if (answer.tuned.stopped) return stopped_code();
  return command.strict && !study::limits_held(answer) ? kSolverFailed : kDone;
}

struct Telling {
  // From the first generation to the last write: a signal that comes late must not cut that off.
  std::optional<comm::StopOnSignal> on_signal;
  std::optional<StatusLine> status;
  int running = 0, generations = 0;
};

void tell(const comm::Comm& comm, const TuneCommand& command, study::TuneOptions& options, Telling& telling) {
  options.on_begin = [&](const study::TuneJob& job) {
    for (const std::string& note : job.notes) {
      if (comm.is_root()) say_problem(note);
    }
    comm::LostRank::set_way_out(comm, "continue: " + continue_text(command, job.folder));
    telling.running = job.record.state.search.generation + 1;
    telling.generations = job.record.generations;
    telling.on_signal.emplace();
    telling.status.emplace(command.quiet || !comm.is_root());
  };
  options.on_generation = [&](const study::TuneState& state) {
    telling.running = state.search.generation + 1;
    StatusLine& line = *telling.status;
    if (line.is_due()) line.show_text(study::progress_text(state, telling.generations, line.seconds()));
  };
  options.on_design = [&](std::size_t done, std::size_t of) {
    StatusLine& line = *telling.status;
    if (line.is_due()) line.show_text(study::generation_text(telling.running, telling.generations, done, of));
  };
}

}  // namespace

int run_tune(const TuneCommand& command) {
  const comm::Session session;
  if (!session.is_parallel() && command.ranks != 1) return launch(command.words, command.ranks, command.json);
  const comm::Comm comm = comm::Comm::world();
  const comm::LostRank lost(comm);
  study::TuneOptions options = tune_options(command);
  Telling telling;
  tell(comm, command, options, telling);
  const Result<study::TuneAnswer> answer = study::tune(comm, options);
  telling.status.reset();
  if (!answer) return comm.is_root() ? report(answer.error(), command.json) : kBadInput;
  if (comm.is_root()) return finish(command, *answer);
  return answer->tuned.stopped ? stopped_code() : kDone;
}

}  // namespace espalier::app
