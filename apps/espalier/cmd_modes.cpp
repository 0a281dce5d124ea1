#include <utility>

#include <fmt/format.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/launch.hpp"
#include "apps/espalier/lost_rank.hpp"
#include "apps/espalier/modes_input.hpp"
#include "apps/espalier/modes_matrix.hpp"
#include "apps/espalier/modes_plot.hpp"
#include "apps/espalier/modes_report.hpp"
#include "apps/espalier/modes_response.hpp"
#include "apps/espalier/modes_sweep.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/progress.hpp"
#include "espalier/comm/agree.hpp"
#include "espalier/comm/session.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/modes/segments.hpp"

namespace espalier::app {
namespace {

// Errors that stand for the whole model get its name.
Error in_file(Error error, const std::string& file) {
  if (error.where.file.empty() && error.code != ErrorCode::kOption) error.where.file = file;
  return error;
}

void watch(modes::ModesOptions& options, StatusLine& line) {
  options.watch = [&line](int found, int expected) {
    if (line.is_due()) line.show_text(fmt::format("{} of {} modes", found, expected));
  };
  options.grid.spread.watch = [&line](std::int64_t done, std::int64_t of) {
    if (line.is_due()) line.show_text(fmt::format("{} of {} points of this level here", done, of));
  };
}

// The same modes with twice the segments. Where that search has no certainty there is nothing to say.
Result<void> estimate(const comm::Comm& comm, const ModesInput& input, modes::ModeSet& set) {
  modes::StructureOptions twice;
  twice.refine = 2;
  const Result<modes::Structure> structure = modes::make_structure(input.model, twice);
  ESPALIER_TRY(structure);
  const Result<modes::Tree> tree = modes::plan_tree(*structure);
  ESPALIER_TRY(tree);
  const Result<modes::ModeSet> finer =
      modes::find_modes(comm, *structure, *tree, modes::finer_options(set, input.options));
  ESPALIER_TRY(finer);
  if (finer->certainty != modes::Certainty::kNone) modes::estimate_segments(set, *finer);
  set.seconds += finer->seconds;
  set.communication_seconds += finer->communication_seconds;
  return {};
}

Result<ModesReport> compute(const comm::Comm& comm, const ModesCommand& command, ModesInput input) {
  StatusLine line(command.quiet || !comm.is_root());
  watch(input.options, line);
  Result<modes::ModeSet> set = modes::find_modes(comm, input.structure, input.tree, input.options);
  ESPALIER_TRY(set);
  if (command.no_free_motion && set->free_motions > 0) {
    return make_error(ErrorCode::kValue, {},
                      fmt::format("{}; --no-free-motion asks for none: hold them with a joint to the ground, or give a "
                                  "joint a stiffness",
                                  modes::describe_free_motions(input.structure, *set)));
  }
  if (input.structure.segmented_bodies > 0 && !command.no_estimate && input.options.method == modes::Method::kAuto) {
    const Result<void> estimated = estimate(comm, input, *set);
    ESPALIER_TRY(estimated);
  }
  return ModesReport{command.model,         input.model.name,     std::move(input.structure), *std::move(set),
                     comm.size(),           input.options.shapes, input.options.grid,         std::move(input.model),
                     std::move(input.tree), std::nullopt,         std::move(input.reader)};
}

// On the root rank: what is told of the shapes.
Result<void> add_results(const ModesCommand& command, ModesReport& found) {
  if (!found.shapes) return {};
  modes::ResultOptions options;
  options.scaling = command.scaling == "mass" ? modes::Scaling::kMass : modes::Scaling::kLargest;
  Result<modes::ModeResults> results = modes::find_results(found.structure, found.tree, found.set, options);
  ESPALIER_TRY(results);
  found.results = *std::move(results);
  return {};
}

int print_modes(const ModesCommand& command, ModesReport& found) {
  const Result<void> added = add_results(command, found);
  if (!added) return report(added.error(), command.json);
  if (!command.plot.empty()) {
    const Result<void> drawn = plot_modes(command, found);
    if (!drawn) return report(drawn.error(), command.json);
  }
  if (!command.output.empty()) {
    const Result<void> written = files::write_text_file(command.output, modes_json(found));
    if (!written) return report(written.error(), command.json);
  }
  if (command.json) return print_result(modes_json(found));
  return command.quiet ? kDone : print_result(modes_text(found));
}

// A baseline was asked for knowing that it has no certainty.
bool is_certain(const ModesCommand& command, const modes::ModeSet& set) {
  if (command.certify) return set.certainty == modes::Certainty::kProved;
  return set.certainty != modes::Certainty::kNone || set.method != modes::Method::kAuto;
}

}  // namespace

int run_modes(const ModesCommand& command) {
  const comm::Session session;
  if (!session.is_parallel() && command.ranks != 1) return launch(command.words, command.ranks, command.json);
  const comm::Comm comm = comm::Comm::world();
  const LostRank lost(comm);
  if (!command.vary.empty()) return run_mode_sweep(comm, command);
  const auto fail = [&](const Error& error) {
    return comm.is_root() ? report(in_file(error, command.model), command.json) : kBadInput;
  };
  Result<ModesInput> input = comm::agree(comm, read_modes_input(command));
  if (!input) return fail(input.error());
  if (!command.response.empty()) return comm.is_root() ? run_response(command, *input) : kDone;
  if (command.show_matrix) {
    const Result<std::string> text = show_matrix(command, input->structure, input->tree);
    if (!text) return fail(text.error());
    return comm.is_root() ? print_result(*text) : kDone;
  }
  Result<ModesReport> found = comm::agree(comm, compute(comm, command, *std::move(input)));
  if (!found) return fail(found.error());
  const int printed = comm.is_root() ? print_modes(command, *found) : kDone;
  if (printed != kDone || is_certain(command, found->set)) return printed;
  if (comm.is_root()) {
    fmt::print(stderr, "espalier: {}: {}: {}\n", command.model,
               command.certify ? "not proved" : "the number of modes is not certain", found->set.certificate);
  }
  return kSolverFailed;
}

}  // namespace espalier::app
