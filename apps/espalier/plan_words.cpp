#include "apps/espalier/plan_words.hpp"

#include <filesystem>
#include <system_error>

#include "apps/espalier/machine_place.hpp"
#include "apps/espalier/words.hpp"
#include "espalier/plan/words.hpp"

namespace espalier::app {
namespace {

// What was measured here, if anything was.
std::string machine_file(const PlanCommand& command) {
  std::error_code ignored;
  if (!command.machine.empty()) return command.machine;
  return std::filesystem::exists(machine_place(), ignored) ? machine_place() : "";
}

}  // namespace

Result<study::PlanningOptions> planning_options(const PlanCommand& command) {
  study::PlanningOptions options;
  for (const Result<void>& read : {read_word<plan::Objective>("objective", command.tree.objective, options.objective),
                                   read_word<plan::Method>("method", command.method, options.method),
                                   read_word<plan::Start>("start", command.start, options.start),
                                   read_word<plan::Sweep>("sweep", command.sweep, options.sweep),
                                   read_word<study::EdgeWeights>("weights", command.weights, options.weights)}) {
    ESPALIER_TRY(read);
  }
  options.beta = command.tree.beta.value_or(options.beta);
  options.max_length = command.max_length;
  options.max_weight = command.max_weight;
  options.free_root = command.tree.root == "free";
  if (command.tree.root != "auto" && !options.free_root) options.root = command.tree.root;
  options.pin = command.pin;
  options.cut = command.cut;
  options.cut_body = command.cut_body;
  options.keyframe = command.keyframe;
  options.exponent = command.exponent;
  options.time_limit = command.time_limit;
  options.seed = command.seed;
  options.workers = command.workers;
  options.machine = machine_file(command);
  options.front = command.front;
  options.explain = command.explain;
  options.matrices = command.matrices;
  options.trace = command.trace;
  options.compare = command.compare;
  options.all_trees = command.all_trees;
  return options;
}

}  // namespace espalier::app
