#pragma once

#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/study/simulation.hpp"

namespace espalier::study::detail {

// The plan that a run is computed on: read or made as `options` say, with every joint in the tree that laws or links
// without mass need there.
Result<plan::Plan> choose_plan(const LoadedModel& loaded, const plan::Mechanism& mechanism, const TreeOptions& options);

// What that plan was made with; no value for one that was read.
std::optional<plan::PlanOptions> chosen_with(const LoadedModel& loaded, const plan::Mechanism& mechanism,
                                             const TreeOptions& options);

// Where the tree that a run chose is not the one that study::plan() makes without options: which that is, and why; else
// nothing. `kept`: edges that the run keeps in its tree. Of large mechanisms the two are not compared, only told apart
// by what they are chosen for.
std::string tree_difference(const TreeOptions& options, const LoadedModel& loaded, const plan::Mechanism& mechanism,
                            const plan::Plan& used, const std::vector<int>& kept);

}  // namespace espalier::study::detail
