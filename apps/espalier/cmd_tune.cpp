// espalier tune: reads, searches while it keeps a checkpoint, writes the folder and reports.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/launch.hpp"
#include "apps/espalier/lost_rank.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/progress.hpp"
#include "apps/espalier/stop_on_signal.hpp"
#include "apps/espalier/tune_input.hpp"
#include "apps/espalier/tune_report.hpp"
#include "espalier/base/printable.hpp"
#include "espalier/comm/agree.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/comm/session.hpp"
#include "espalier/record/run_folder.hpp"

namespace espalier::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

using Lock = std::optional<files::FolderLock>;

// On the root, before anything is read of a search to go on with.
Result<void> lock_folder(const comm::Comm& comm, const TuneCommand& command, Lock& lock) {
  std::error_code code;
  if (!comm.is_root() || command.restart.empty() || !fs::is_directory(command.restart, code)) return {};
  Result<files::FolderLock> taken = files::FolderLock::take(command.restart);
  ESPALIER_TRY(taken);
  lock.emplace(*std::move(taken));
  return {};
}

Result<void> make_folder(const std::string& folder, Lock& lock) {
  Result<files::FolderLock> made = study::make_tune_folder(folder);
  ESPALIER_TRY(made);
  lock.emplace(*std::move(made));
  return {};
}

// The root's folder, on every rank.
Result<std::string> open_folder(const comm::Comm& comm, const TuneCommand& command, const TuneInput& input,
                                Lock& lock) {
  std::string folder = command.restart.empty() ? command.output : command.restart;
  if (folder.empty()) folder = record::new_run_folder(fs::path(input.record.model).stem().string()).string();
  folder = comm::broadcast(comm, folder);
  const bool makes = comm.is_root() && !input.restarted;
  const Result<void> made = comm::agree(comm, makes ? make_folder(folder, lock) : Result<void>());
  ESPALIER_TRY(made);
  return folder;
}

// On the root, after each generation: a checkpoint, at most some a second since each waits for the disk, and one at the
// end. One that cannot be written ends the search.
class Keeper {
 public:
  Keeper(std::string folder, study::TuneRecord record, bool quiet)
      : folder_(std::move(folder)), record_(std::move(record)), line_(quiet) {}

  void operator()(const study::TuneState& state) {
    record_.state = state;
    unsaved_ = true;
    if (!saved_ || Clock::now() - *saved_ >= kBetween) save();
    if (!line_.is_due()) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    line_.show_text(tune_progress(state, record_.generations, seconds));
  }

  // Inside a generation, which may last.
  void show(std::size_t done, std::size_t of) {
    const int running = record_.state.search.generation + 1;
    if (line_.is_due()) line_.show_text(generation_progress(running, record_.generations, done, of));
  }

  void save() {
    const Result<void> written = study::write_tune_checkpoint(folder_, record_);
    saved_ = Clock::now();
    unsaved_ = false;
    if (written || problem_) return;
    problem_ = written.error();
    StopOnSignal::stop();
  }

  // The last state.
  void finish() {
    if (unsaved_ && !problem_) save();
  }

  const std::optional<Error>& problem() const { return problem_; }

 private:
  static constexpr std::chrono::milliseconds kBetween{200};

  std::string folder_;
  study::TuneRecord record_;
  StatusLine line_;
  std::optional<Error> problem_;
  std::optional<Clock::time_point> saved_;
  bool unsaved_ = false;
  Clock::time_point begin_ = Clock::now();
};

int finish(const TuneCommand& command, const TuneInput& input, const study::Tuned& tuned, const TuneReport& report_) {
  const std::string text = tune_text(input.space, input.record, tuned, report_);
  const std::string json = tune_json(input.space, input.record, tuned, report_);
  const Result<std::vector<std::string>> written =
      study::write_tune_results(report_.folder, input.space, tuned,
                                {fmt::format("Design search of {}", input.record.model), command.line, text, json});
  if (!written) {
    report(written.error(), command.json);
    return kSolverFailed;
  }
  const int printed = command.json ? print_result(json) : command.quiet ? kDone : print_result(text);
  if (printed != kDone) return printed;
  return command.strict && !tuned.stopped && !limits_held(input.space, tuned) ? kSolverFailed : kDone;
}

// Not even the first generation was whole.
int finish_empty(const TuneCommand& command, const std::string& folder) {
  report(Error{ErrorCode::kValue,
               fmt::format("stopped in the first generation, before there was a design to keep; go on: espalier tune "
                           "--restart {}",
                           folder),
               {}},
         command.json);
  return StopOnSignal::signal() != 0 ? 128 + StopOnSignal::signal() : kSolverFailed;
}

}  // namespace

int run_tune(const TuneCommand& command) {
  const comm::Session session;
  if (!session.is_parallel() && command.ranks != 1) return launch(command.words, command.ranks, command.json);
  const comm::Comm comm = comm::Comm::world();
  const LostRank lost(comm);
  const auto fail = [&](const Error& error) { return comm.is_root() ? report(error, command.json) : kBadInput; };
  Lock lock;
  const Result<void> locked = comm::agree_with_root(comm, lock_folder(comm, command, lock));
  if (!locked) return fail(locked.error());
  const Result<TuneInput> input = comm::agree(comm, read_tune_input(command));
  if (!input) return fail(input.error());
  for (const std::string& note : input->notes) {
    if (comm.is_root()) fmt::print(stderr, "espalier: {}\n", note);
  }
  const Result<std::string> folder = open_folder(comm, command, *input, lock);
  if (!folder) return fail(folder.error());
  if (!folder->empty()) LostRank::set_way_out(comm, "go on: espalier tune --restart " + shell_word(*folder));
  const int cores = comm.size() > 1 ? 1 : static_cast<int>(std::max(std::thread::hardware_concurrency(), 1u));
  const TuneReport about{*folder, comm.size(), command.threads.value_or(cores), input->reader};
  study::TuneRecord record = input->record;
  if (!input->restarted) record.state.study = study::study_hash(input->space).value_or(0);
  Keeper keeper(*folder, std::move(record), command.quiet || !comm.is_root());
  study::TuneOptions options;
  options.threads = about.threads;
  options.start = input->restarted ? &input->record.state : nullptr;
  options.stop = StopOnSignal::wanted();
  options.on_generation = [&](const study::TuneState& state) { keeper(state); };
  options.on_design = [&](std::size_t done, std::size_t of) { keeper.show(done, of); };
  const StopOnSignal on_signal;
  // A search that is stopped in its first generation can be gone on with too.
  if (comm.is_root() && !input->restarted) keeper.save();
  const Result<study::Tuned> tuned = study::tune(comm, input->space, options);
  keeper.finish();
  if (!tuned) return fail(tuned.error());
  if (keeper.problem()) {
    report(*keeper.problem(), command.json);
    return kSolverFailed;
  }
  if (tuned->parameters.empty()) return comm.is_root() ? finish_empty(command, *folder) : kSolverFailed;
  const int done = comm.is_root() ? finish(command, *input, *tuned, about) : kDone;
  if (done != kDone || !tuned->stopped) return done;
  return StopOnSignal::signal() != 0 ? 128 + StopOnSignal::signal() : kSolverFailed;
}

}  // namespace espalier::app
