#pragma once

// The tree of smallest predicted time: all trees where they are few, else the trees of the other objectives and
// exchanges of single joints from there.

#include <functional>

#include "espalier/plan/detail/objectives.hpp"
#include "espalier/plan/detail/pieces.hpp"

namespace espalier::plan::detail {

// kAuto tries all trees where there are at most 5000, kExact where there are at most a million; kSearch never does. Any
// other method gives its own tree for L + beta W. The work is limited by a count, not by a clock; `stop` is asked
// between exchanges. Roots are the ground, the one asked for, or in a floating piece any vertex.
Result<Answer> find_time_answer(const Pieces& pieces, const PlanOptions& options, const std::function<bool()>& stop);

}  // namespace espalier::plan::detail
