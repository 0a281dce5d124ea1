#pragma once

#include <string>
#include <vector>

#include "apps/espalier/commands.hpp"
#include "espalier/model/model.hpp"
#include "espalier/plan/mechanism.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::app {

// Where the tree that a run chose is not the one that `espalier plan MODEL` prints: which that is, and why; else
// nothing. `kept`: edges that the run keeps in its tree. Of large mechanisms the two are not compared, only told apart
// by what they are chosen for.
std::string tree_difference(const SimulateCommand& command, const model::Model& model, const plan::Mechanism& mechanism,
                            const plan::Plan& used, const std::vector<int>& kept);

}  // namespace espalier::app
