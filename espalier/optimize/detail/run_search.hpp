#pragma once

#include <functional>
#include <span>
#include <vector>

#include "espalier/optimize/detail/evaluator.hpp"
#include "espalier/optimize/optimize.hpp"

namespace espalier::optimize::detail {

// Designs of parameters and values that lie end to end.
std::vector<Design> make_designs(const Problem& problem, std::span<const double> parameters,
                                 std::span<const double> values);

// One generation: replaces state.population (and state.memory); state.generation is the number of the new one.
using Step = std::function<void(SearchState& state)>;

// Root. What all algorithms share: the random start or options.start, one step after the other, history, the best so
// far, and the reasons to stop.
Search run_search(const Problem& problem, const SearchOptions& options, Evaluator& evaluator, const Step& step);

}  // namespace espalier::optimize::detail
