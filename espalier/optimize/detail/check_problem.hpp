#pragma once

#include "espalier/optimize/optimize.hpp"

namespace espalier::optimize::detail {

// What the user got wrong, in words; ErrorCode::kValue for the problem, kOption for the options.
Result<void> check_problem(const Problem& problem);
Result<void> check_options(const Problem& problem, const SearchOptions& options);

}  // namespace espalier::optimize::detail
