#pragma once

#include "apps/espalier/commands.hpp"
#include "espalier/base/result.hpp"
#include "espalier/study/plan.hpp"

namespace espalier::app {

// The options that the words of the command stand for. Errors name the word and the nearest known one.
Result<study::PlanningOptions> planning_options(const PlanCommand& command);

}  // namespace espalier::app
