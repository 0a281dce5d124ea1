#pragma once

#include "espalier/plan/detail/problem.hpp"

namespace espalier::plan::detail {

// The largest number of which every possible cost is a whole multiple, or 0 where none is found: with whole weights and
// lengths and beta = 0.1, 0.1. A tree that is better at all is then better by a step.
double cost_step(const Problem& problem, const Goal& goal);

}  // namespace espalier::plan::detail
