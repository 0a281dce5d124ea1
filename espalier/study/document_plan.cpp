#include "espalier/base/result.hpp"
#include "espalier/record/plan_file.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/plan.hpp"

namespace espalier::study {

// The document of a plan is what a run reads as its plan too, so that record/ writes it.
std::string to_json(const PlanAnswer& answer) {
  const auto is = [&](plan::Objective objective) { return answer.plan.objective == objective; };
  const Result<std::string> json =
      record::plan_json(answer.plan, {.file = answer.file,
                                      .workers = answer.workers,
                                      .matrices = answer.matrices,
                                      .explained = answer.explain ? &answer.options : nullptr,
                                      .reasons = &answer.options,
                                      .trace = answer.trace ? &*answer.trace : nullptr,
                                      .comparison = answer.comparison ? &*answer.comparison : nullptr,
                                      .machine = answer.machine,
                                      .time_workers = answer.options.workers,
                                      .notes = &answer.reader.notes,
                                      .accepted = answer.reader.accepted,
                                      .given = given_text(answer.options),
                                      .open = answer.open,
                                      .trees = &answer.trees,
                                      .all_trees = answer.all_trees ? &*answer.all_trees : nullptr,
                                      .bracket = is(plan::Objective::kMccst) ? &answer.bracket : nullptr,
                                      .spread = is(plan::Objective::kTime) ? &answer.spread : nullptr});
  ESPALIER_CHECK(json.has_value(), "matrices that are too large are refused by plan()");
  return *json;
}

}  // namespace espalier::study
