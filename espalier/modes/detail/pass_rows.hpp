#pragma once

#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/modes/detail/loop_motions.hpp"
#include "espalier/modes/detail/pass_program.hpp"
#include "espalier/modes/structure.hpp"

namespace espalier::modes::detail {

// Where each row of a loop is carried and where it closes; rows that others imply are taken out. `motions`: by row, of
// the program's steps; none of a row that depends on no other. The error: something can move that has neither inertia
// nor stiffness.
Result<PassProgram> settle_rows(const Structure& structure, double largest_s, PassProgram program,
                                std::vector<RowMotions> motions);

}  // namespace espalier::modes::detail
