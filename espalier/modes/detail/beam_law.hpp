#pragma once

#include <vector>

#include "espalier/modes/detail/pass_program.hpp"
#include "espalier/modes/structure.hpp"

namespace espalier::modes::detail {

// Rows of to_local that the beam's fields use, in the order of its directions.
std::vector<int> beam_rows(const Beam& beam);

// `part` of a beam in units of the structure's length, cut so that no slice resonates below largest_s.
BeamLaw make_beam_law(const Beam& beam, double part, double length_unit, double largest_s);

}  // namespace espalier::modes::detail
