#include "apps/espalier/contact_run.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "apps/espalier/lost_rank.hpp"
#include "apps/espalier/progress.hpp"
#include "apps/espalier/stop_on_signal.hpp"
#include "espalier/base/printable.hpp"
#include "espalier/comm/agree.hpp"
#include "espalier/comm/collectives.hpp"

namespace espalier::app {
namespace {

using Outcome = model::Outcome;

const char* outcome_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::kDone:
      return "done";
    case Outcome::kStopped:
      return "stopped";
    case Outcome::kFailed:
      return "failed";
  }
  return "";
}

// Adds what this part of the run did to what was done before it, `start` steps.
void add_status(const contact::RunStatus& status, std::int64_t start, int ranks, record::SceneRecord& record) {
  record.outcome = outcome_word(status.outcome);
  record.message = status.message;
  record.time = status.time;
  record.frames = status.frames;
  record.steps = start + status.steps;
  record.unconverged += status.unconverged;
  record.worst_residual = std::max(record.worst_residual, status.worst_residual);
  record.sweeps += status.sweeps;
  record.iterations += status.iterations;
  record.contacts = status.contacts;
  record.most_contacts = std::max(record.most_contacts, status.most_contacts);
  record.penetration = std::max(record.penetration, status.penetration);
  record.seconds += status.seconds;
  record.ranks = ranks;
  record.state_hash = record::state_hash(status.end);
}

Result<std::optional<record::SceneFolder>> open_folder(const ContactInput& input) {
  if (input.folder.empty()) return std::nullopt;
  Result<record::SceneFolder> folder = input.continued
                                       ? record::SceneFolder::reopen(input.folder, input.record, input.layout, input.start)
                                       : record::SceneFolder::create(input.folder, input.record, input.layout, input.start);
  ESPALIER_TRY(folder);
  return std::optional(*std::move(folder));
}

std::string way_out(const std::string& folder) {
  return fmt::format("go on from the last checkpoint: espalier simulate --restart {}", shell_word(folder));
}

}  // namespace

Result<ContactRun> run_contact(const comm::Comm& comm, ContactInput& input, const SimulateCommand& command) {
  Result<std::optional<record::SceneFolder>> folder = comm::agree_with_root(comm, open_folder(input));
  ESPALIER_TRY(folder);
  record::SceneFolder* files = *folder ? &**folder : nullptr;
  LostRank::set_way_out(comm, files == nullptr ? "no files were asked for" : way_out(input.folder));
  ContactRun run;
  run.record = input.record;
  run.start_time = input.start.time;
  const auto keep = [&](const Result<void>& written) {
    if (!written && !run.problem) run.problem = written.error();
    return !run.problem;
  };
  const model::Sink sink = [&](const model::Frame& frame) {
    return !run.problem && (files == nullptr || keep(files->append(frame)));
  };
  contact::SimulateOptions options = input.record.options;
  options.run.stop = StopOnSignal::wanted();
  options.on_checkpoint = [&](const contact::RunState& state) { return files == nullptr || keep(files->save(state)); };
  // To the end of the last write: a signal that comes late must not cut it off.
  const StopOnSignal on_signal;
  {
    StatusLine line(command.quiet || !comm.is_root());
    options.on_step = [&](const contact::Progress& at) {
      if (!line.is_due()) return;
      line.show_text(progress_text({at.time, run.start_time, options.run.end_time, at.last.contacts, at.last.solved.sweeps,
                                    at.last.solved.accuracy.natural, at.last.imbalance, at.unconverged},
                                   line.seconds()));
    };
    run.status = contact::simulate(comm, std::move(input.scene), input.start, sink, options);
  }
  // One rank may have met its limit on time where the root has not.
  for (const int signal : comm::all_gather(comm, StopOnSignal::signal())) run.signal = std::max(run.signal, signal);
  if (!comm.is_root()) return run;
  add_status(run.status, input.start.steps, comm.size(), run.record);
  if (run.problem) {
    run.record.outcome = "failed";
    run.record.message = to_string(*run.problem);
  }
  if (files != nullptr) {
    keep(files->finish(run.status.end, run.record));
    run.files = files->files();
  }
  return run;
}

}  // namespace espalier::app
