#pragma once

#include "espalier/modes/structure.hpp"
#include "espalier/modes/sweep.hpp"

namespace bench {

// Steel beams of random sections end to end, ten metres in all, clamped at one end: bending in one plane, or all
// directions. `viscous`: damping of each [N s/m^2].
espalier::modes::Structure make_chain(int elements, bool in_space, double viscous = 0);
// From the free end to the clamp.
espalier::modes::Tree chain_tree(int elements);

}  // namespace bench
