#pragma once

// Front door of the room: vibration modes of a linear structure, and what stands behind their number.
//   In:     Model in equilibrium -> Structure (structure.hpp); a tree (plan/) -> Tree (pass.hpp)
//   Out:    ModeSet: eigenvalues, multiplicities, shapes, and a certificate
//   Source: [Rui14] for the transfer equations, [Bestle14] for the recursive search, [Wittrick71] for the count;
//           docs/theory/modes.md for the rest
// Read next: mode_set.hpp; range.hpp and detail/damped.hpp, which find; baseline/, the searches of the literature.
// An eigenvalue s of exp(s t) is i omega where nothing dissipates.

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/modes/mode_set.hpp"
#include "espalier/modes/structure.hpp"
#include "espalier/modes/pass.hpp"

namespace espalier::modes {

// The tree that plan/ chooses for the structure.
Result<Tree> plan_tree(const Structure& structure);

// Collective. The same on every number of ranks. The tree decides only how long it takes. Errors: something can move
// without inertia and stiffness; a region that reaches the essential singularity of Kelvin-Voigt damping; bisection of
// a damped structure.
Result<ModeSet> find_modes(const comm::Comm& comm, const Structure& structure, const Tree& tree,
                           const ModesOptions& options = {});

}  // namespace espalier::modes
