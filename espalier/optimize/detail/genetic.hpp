#pragma once

#include "espalier/optimize/detail/run_search.hpp"

namespace espalier::optimize::detail {

// One generation of our own genetic search. Each design has one child, a function of (seed, generation, its number)
// and the population:
//   1. a mate, the better of two drawn at random
//   2. blend crossover: in the box around both parents, up to half their distance beyond either; or on the line to the
//      mate and beyond it, moved aside by the difference of two other designs
//   3. every other child: normal steps, whose width falls from a fifth of the range to a millionth as generations pass
//   4. one goal: a child takes its parent's place unless it is worse, limits first [Deb00]. Several goals: the best
//   half of parents and
//      children live on, by front and crowding [Deb02]. Either way the best never die.
Step genetic_step(const Problem& problem, const SearchOptions& options, Evaluator& evaluator);

}  // namespace espalier::optimize::detail
