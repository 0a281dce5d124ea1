#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/modes_report.hpp"
#include "apps/espalier/output.hpp"

namespace espalier::app {
namespace {

Result<modes::ModesOptions> make_options(const ModesCommand& command) {
  const auto refuse = [](const std::string& text) { return make_error(ErrorCode::kOption, {}, text); };
  modes::ModesOptions options;
  options.count = command.count.value_or(options.count);
  if (options.count < 1) return refuse(fmt::format("--count {}: ask for 1 mode or more", options.count));
  if (command.max_frequency) {
    if (!(*command.max_frequency > 0) || !std::isfinite(*command.max_frequency)) {
      return refuse(fmt::format("--max-frequency {}: give a frequency above 0 Hz", *command.max_frequency));
    }
    options.max_frequency = 2 * std::numbers::pi * *command.max_frequency;
  }
  if (command.max_decay) {
    if (!(*command.max_decay > 0) || !std::isfinite(*command.max_decay)) {
      return refuse(fmt::format("--max-decay {}: give a number above 0 1/s", *command.max_decay));
    }
    options.max_decay = *command.max_decay;
  }
  options.shapes = !command.no_shapes;
  return options;
}

Result<ModesReport> compute(const ModesCommand& command) {
  const Result<modes::ModesOptions> options = make_options(command);
  ESPALIER_TRY(options);
  const Result<model::ModelSpec> spec = io::read_model(command.model, command.read);
  ESPALIER_TRY(spec);
  const Result<model::Model> model = model::compile(*spec);
  ESPALIER_TRY(model);
  Result<modes::Structure> structure = modes::make_structure(*model);
  ESPALIER_TRY(structure);
  const Result<modes::Tree> tree = modes::plan_tree(*structure);
  ESPALIER_TRY(tree);
  Result<modes::ModeSet> set = modes::find_modes(comm::Comm::serial(), *structure, *tree, *options);
  if (!set) {
    Error error = set.error();
    if (error.where.file.empty() && error.code != ErrorCode::kOption) error.where.file = command.model;
    return tl::unexpected(error);
  }
  return ModesReport{command.model, model->name, *std::move(structure), *std::move(set), options->shapes};
}

}  // namespace

int run_modes(const ModesCommand& command) {
  const Result<ModesReport> found = compute(command);
  if (!found) return report(found.error(), command.json);
  if (!command.output.empty()) {
    const Result<void> written = io::write_text_file(command.output, modes_json(*found));
    if (!written) return report(written.error(), command.json);
  }
  const int printed = command.json    ? print_result(modes_json(*found))
                      : command.quiet ? kDone
                                      : print_result(modes_text(*found));
  if (found->set.certainty != modes::Certainty::kNone) return printed;
  fmt::print(stderr, "espalier: {}: {}\n", command.model, found->set.certificate);
  return kSolverFailed;
}

}  // namespace espalier::app
