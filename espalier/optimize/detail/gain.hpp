#pragma once

#include "espalier/optimize/optimize.hpp"

namespace espalier::optimize::detail {

// Whether `state` is better than what the search had at its last gain, (O4) of docs/theory/optimize.md. O(goals n^2) in
// the size of the archive.
bool is_gain(int goals, const SearchState& state);

// Where it is, the state becomes the gain that later ones are measured from.
void keep_gain(int goals, SearchState& state);

}  // namespace espalier::optimize::detail
