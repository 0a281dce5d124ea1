#pragma once

#include <vector>

#include "espalier/modes/structure.hpp"
#include "espalier/modes/pass.hpp"

namespace bench {

// Steel beams of random sections end to end, ten metres in all, clamped at one end: bending in one plane, or all
// directions. `viscous`: damping of each [N s/m^2]. `uneven`: by what part sections differ; 0: all are one beam.
espalier::modes::Structure make_chain(int elements, bool in_space, double viscous = 0, double uneven = 0.3);
// Of the chain that is one beam: the lowest frequencies of bending in one plane [rad/s].
std::vector<double> even_frequencies();
// From the free end to the clamp.
espalier::modes::Tree chain_tree(int elements);

}  // namespace bench
