#include <optional>

#include <fmt/format.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/modes_words.hpp"
#include "apps/espalier/modes_output.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/wording.hpp"
#include "apps/espalier/progress.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/comm/processes.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/text.hpp"

namespace espalier::app {
namespace {

Result<study::ModesAnswer> search(const comm::Comm& comm, const ModesCommand& command) {
  Result<study::ModesOptions> options = comm::agree(comm, make_modes_options(command));
  ESPALIER_TRY(options);
  const Result<study::LoadedModel> loaded = comm::agree(comm, study::load(command.model, command.load));
  ESPALIER_TRY(loaded);
  StatusLine line(command.quiet || !comm.is_root());
  options->watch = [&line](int found, int expected) {
    if (line.is_due()) line.show_text(study::progress_text(found, expected));
  };
  options->watch_samples = [&line](std::int64_t done, std::int64_t of) {
    if (line.is_due()) line.show_text(fmt::format("{} of {} points of this level here", done, of));
  };
  return study::modes(comm, *loaded, *options);
}

// A baseline was asked for knowing that it has no certainty.
bool is_certain(const ModesCommand& command, const modes::ModeSet& set) {
  if (command.certify) return set.certainty == modes::Certainty::kProved;
  return set.certainty != modes::Certainty::kNone || set.method != modes::Method::kAuto;
}

Result<int> find_modes(const comm::Comm& comm, const ModesCommand& command) {
  const Result<study::ModesAnswer> answer = search(comm, command);
  ESPALIER_TRY(answer);
  const auto text = [&] { return study::to_text(*answer, text_options()); };
  const int printed = finish(comm, command,
                             {[&] { return study::to_json(*answer); },
                              text,
                              {},
                              [&] { return study::make_page(*answer, text(), command.line); }});
  if (printed != kDone || is_certain(command, answer->set)) return printed;
  if (comm.is_root()) {
    fmt::print(stderr, "espalier: {}: {}: {}\n", command.model,
               command.certify ? "not proved" : "the number of modes is not certain", answer->set.certificate);
  }
  return kSolverFailed;
}

}  // namespace

int run_modes(const ModesCommand& typed) {
  ModesCommand command = typed;
  const comm::Session session;
  if (!session.is_parallel() && command.ranks != 1) return launch(command.words, command.ranks, command.json);
  const comm::Comm comm = comm::Comm::world();
  const comm::LostRank lost(comm);
  if (comm.is_root()) command.page = page_of(command.page, command.plot, "--plot");
  const Result<void> free =
      comm::agree(comm, comm.is_root() ? study::check_files(files_of(command), command.model) : Result<void>());
  if (!free) return comm.is_root() ? report(free.error(), command.json) : kBadInput;
  const Result<int> code = !command.vary.empty()       ? run_mode_sweep(comm, command)
                           : !command.response.empty() ? run_response(comm, command)
                           : command.show_matrix       ? run_matrix(comm, command)
                                                       : find_modes(comm, command);
  if (code) return *code;
  return comm.is_root() ? report(code.error(), command.json) : kBadInput;
}

}  // namespace espalier::app
