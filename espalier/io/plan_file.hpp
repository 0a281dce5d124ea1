#pragma once

#include <optional>
#include <string>

#include "espalier/plan/compare.hpp"
#include "espalier/plan/explain.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/plan/trace.hpp"

namespace espalier::io {

// What a plan's JSON document holds besides the plan itself.
struct PlanDocument {
  std::string file;                              // the model it was made for
  int workers = 4;                               // of the schedule
  bool matrices = false;                         // incidence, path and adjacency matrices and the edge array
  const plan::PlanOptions* explained = nullptr;  // what the plan was made with, to explain each cut; null: no word
  const plan::ExchangeTrace* trace = nullptr;
  const plan::Comparison* comparison = nullptr;
  std::string machine;   // --objective time: the file of its constants; empty: built in
  int time_workers = 1;  // --objective time
};

// docs/file-formats.md lists the fields. Names stand for bodies and joints; `pr` and `cut_array` are numbers, counted
// from 1 [Wang97]. Errors: matrices too large to be written.
Result<std::string> plan_json(const plan::Plan& plan, const PlanDocument& document);

}  // namespace espalier::io
