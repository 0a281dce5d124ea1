#include "apps/espalier/simulate_words.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/plan/words.hpp"
#include "espalier/record/plan_file.hpp"
#include "espalier/record/run_folder.hpp"
#include "espalier/study/words.hpp"

namespace espalier::app {
namespace {

Result<void> read_tree(const SimulateCommand& command, study::TreeOptions& tree) {
  tree.file = command.plan;
  tree.beta = command.tree.beta;
  tree.root = command.tree.root;
  tree.pin = command.pin;
  tree.cut = command.cut;
  const Result<void> objective = study::read_word<plan::Objective>("objective", command.tree.objective, tree.objective);
  ESPALIER_TRY(objective);
  tree.machine = record::measured_machine();
  return {};
}

// "measured", "counted" or the factor of the formula.
Result<void> read_weights(const std::optional<std::string>& typed, study::ContactOptions& options) {
  if (!typed) return {};
  const std::optional<contact::Weighing> found = find_word<contact::Weighing>(*typed);
  if (found && *found != contact::Weighing::kFormula) {
    options.weighing = found;
    return {};
  }
  const std::optional<double> factor = parse_number(*typed);
  if (!factor || !(*factor >= 0 && *factor <= 1)) {
    return make_option_error(
        "weights",
        fmt::format("`weights` {} is unknown; it is measured, counted or a number from 0 to 1", in_quotes(*typed)));
  }
  options.weighing = contact::Weighing::kFormula;
  options.weight_factor = factor;
  return {};
}

Result<void> read_contact(const SimulateCommand& command, study::ContactOptions& options) {
  for (const Result<void>& read :
       {study::read_word<contact::Storage>("storage", command.storage, options.storage),
        study::read_word<contact::Bisection>("bisection", command.bisection, options.bisection),
        study::read_word<contact::Solver>("solver", command.solver, options.solver),
        study::read_word<contact::Order>("order", command.order, options.order),
        read_weights(command.weights, options)}) {
    ESPALIER_TRY(read);
  }
  options.correction = command.correction;
  options.max_sweeps = command.max_sweeps;
  options.imbalance = command.imbalance;
  options.balance_every = command.balance_every;
  return {};
}

// What the library cannot know of: words of the command line alone.
Result<void> check_words(const SimulateCommand& command) {
  const bool many = !command.sweep.empty() || !command.vary.empty();
  const auto bad = [](const char* message, const char* hint) { return make_option_error({}, message, hint); };
  if (many && (!command.restart.empty() || command.no_files)) {
    return bad("--restart and --no-files are for a single run",
               "many runs continue where the same command is given again with the same -o");
  }
  if (!command.sweep.empty() && (!command.vary.empty() || command.runs || command.seed)) {
    return bad("--sweep brings its numbers along", "leave --vary, --runs and --seed out");
  }
  if (!many && (command.runs || command.seed || command.frames)) {
    return bad("--runs, --seed and --frames are for many runs", "say with --vary or --sweep what varies");
  }
  if (command.no_files && (!command.output.empty() || command.csv || command.checkpoint_every)) {
    return bad("--no-files and -o, --csv or --checkpoint-every contradict each other", "leave one out");
  }
  if (!command.page.empty() && (many || command.no_files)) {
    return bad("--page shows a run in its folder", "a sweep writes a page of its own, runs.html");
  }
  if (!command.restart.empty() && (!command.output.empty() || command.no_files)) {
    return bad("--restart writes into the folder of the run", "leave -o and --no-files out");
  }
  if (!command.restart.empty() || !command.model.empty()) return {};
  return bad("no model is named", "espalier simulate MODEL, or espalier simulate --restart DIR");
}

std::filesystem::path folder_of(const SimulateCommand& command) {
  if (command.no_files || !command.restart.empty()) return {};
  if (!command.output.empty()) return command.output;
  return record::new_run_folder(std::filesystem::path(command.model).stem().string());
}

}  // namespace

SimulateCommand with_model(SimulateCommand typed) {
  if (typed.model.empty() && typed.restart.empty()) std::swap(typed.model, typed.quantities);
  return typed;
}

Result<study::SimulateOptions> simulate_options(const SimulateCommand& command) {
  study::SimulateOptions options;
  for (const Result<void>& read :
       {check_words(command), study::read_word<study::Engine>("engine", std::optional(command.engine), options.engine),
        study::read_word<dynamics::Integrator>("integrator", command.integrator, options.integrator),
        read_tree(command, options.tree), read_contact(command, options.contact)}) {
    ESPALIER_TRY(read);
  }
  options.end_time = command.end;
  options.output_step = command.output_step;
  options.tolerance = command.tolerance;
  options.step = command.step;
  options.loop_tolerance = command.loop_tolerance;
  options.threads = command.threads;
  options.keyframe = command.keyframe;
  options.strict = command.strict;
  options.folder = folder_of(command);
  options.csv = command.csv;
  options.quantities = command.quantities;
  options.checkpoint_every = command.checkpoint_every;
  options.command = command.line;
  return options;
}

}  // namespace espalier::app
