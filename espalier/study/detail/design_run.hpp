#pragma once

// Runs of designs, for goals on quantities of a run.

#include <atomic>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/formats/tuning.hpp"
#include "espalier/formats/variants.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/record/result_file.hpp"
#include "espalier/record/selection.hpp"
#include "espalier/study/design.hpp"
#include "espalier/study/simulation.hpp"

namespace espalier::study::detail {

// What the runs of all designs share: that of the model as drawn.
struct DesignRuns {
  std::string file;  // of the model
  Engine engine = Engine::kRecursive;
  SimulateOptions options;
  record::ResultLayout layout;
  std::vector<std::optional<record::Selection>> quantities;  // by goal: of one number; none: it looks at no run
  plan::Plan plan;                                           // of the recursive engine
  dynamics::SimulateOptions mechanism;                       // the same
};

// Errors, with the line: what simulate() refuses of the model as drawn, a quantity that is none or several, a table in
// another unit or that lasts longer than the run.
Result<DesignRuns> make_design_runs(const formats::ModelVariants& variants, const formats::Tuning& tuning);

// Fields and values of the options with which `simulate` runs a design as the search did.
std::vector<std::pair<std::string, std::string>> options_of_runs(const DesignSpace& space);

// One run, without files and on this thread alone. Fills `quantities` and `curves` of the judgement. Error: why there
// is no run, or none to its end.
Result<void> run_design(const DesignRuns& runs, const formats::Tuning& tuning, const model::ModelSpec& spec,
                        const model::Model& model, const std::atomic<bool>* stop, Judgement& judgement);

}  // namespace espalier::study::detail
