#include "apps/espalier/plan_words.hpp"

#include "espalier/plan/words.hpp"
#include "espalier/record/plan_file.hpp"
#include "espalier/study/words.hpp"

namespace espalier::app {

Result<study::PlanningOptions> planning_options(const PlanCommand& command) {
  study::PlanningOptions options;
  for (const Result<void>& read :
       {study::read_word<plan::Objective>("objective", command.tree.objective, options.objective),
        study::read_word<plan::Method>("method", command.method, options.method),
        study::read_word<plan::Start>("start", command.start, options.start),
        study::read_word<plan::Sweep>("sweep", command.sweep, options.sweep),
        study::read_word<study::EdgeWeights>("weights", command.weights, options.weights)}) {
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
  options.machine = command.machine.empty() ? record::measured_machine() : command.machine;
  options.front = command.front;
  options.explain = command.explain;
  options.matrices = command.matrices;
  options.trace = command.trace;
  options.compare = command.compare;
  options.all_trees = command.all_trees;
  return options;
}

}  // namespace espalier::app
