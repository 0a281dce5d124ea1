#pragma once

#include "espalier/optimize/detail/run_search.hpp"

namespace espalier::optimize::detail {

// One generation of one of pagmo's algorithms. Those that ask for whole generations (NSGA-II, PSO, ACO) are evaluated
// on all ranks and threads; CMA-ES and DE ask for one point after the other. Goes on from options.start->memory where
// there is one, else begins anew with the population. Errors: a memory that cannot be read or is another algorithm's.
Result<Step> pagmo_step(const Problem& problem, const SearchOptions& options, Evaluator& evaluator);

}  // namespace espalier::optimize::detail
