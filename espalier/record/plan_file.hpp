#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/model/spec.hpp"
#include "espalier/plan/compare.hpp"
#include "espalier/plan/explain.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/plan/trace.hpp"

namespace espalier::record {

// What a plan's JSON document holds besides the plan itself.
struct PlanDocument {
  std::string file;                              // the model it was made for
  int workers = 4;                               // of the schedule
  bool matrices = false;                         // incidence, path and adjacency matrices and the edge array
  const plan::PlanOptions* explained = nullptr;  // what the plan was made with, to explain each cut; null: no word
  const plan::ExchangeTrace* trace = nullptr;
  const plan::Comparison* comparison = nullptr;
  std::string machine;                              // --objective time: the file of its constants; empty: built in
  int time_workers = 1;                             // --objective time
  const std::vector<model::Note>* notes = nullptr;  // of the model's reader
  std::vector<std::string> accepted = {};           // words of notes that change the plan
  std::string given = {};                           // what the user decided: " given your cuts", or nothing
  std::string open = {};                            // why the loops cannot close, or nothing
};

// docs/file-formats.md lists the fields. Names stand for bodies and joints; `pr` and `cut_array` are numbers, counted
// from 1 [Wang97]. Errors: matrices too large to be written.
Result<std::string> plan_json(const plan::Plan& plan, const PlanDocument& document);

// The plan that plan_json() wrote, for the network it was made for; or the `plan` of a run.json. Root, tree, cut joints
// and cut bodies are read and checked, all else is computed anew; bound and proof are kept where the cost is still the
// one they speak of. Errors: joints or bodies that are not there or not named, no spanning tree.
Result<plan::Plan> read_plan(const std::filesystem::path& path, const plan::Network& network);
Result<plan::Plan> read_plan_text(std::string_view text, const std::string& name, const plan::Network& network);

}  // namespace espalier::record
