#pragma once

// What it costs that tapered bodies stand as segments of constant section: eigenvalues are off by C / n^2 for n
// segments, so that those with twice as many, which are off by a quarter of it, show 3/4 of the error.

#include "espalier/modes/mode_set.hpp"

namespace espalier::modes {

// Options to find the same modes of the structure with twice the segments (StructureOptions::refine), and some more, so
// that none leaves over the edge.
ModesOptions finer_options(const ModeSet& set, const ModesOptions& options);

// Sets segment_error of each mode: 4/3 of the relative distance to the finer structure's. Frequencies are compared in
// their order, eigenvalues of damped structures with the nearest. Nothing is set for those that have none to compare.
void estimate_segments(ModeSet& set, const ModeSet& finer);

}  // namespace espalier::modes
