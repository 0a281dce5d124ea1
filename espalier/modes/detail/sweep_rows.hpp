#pragma once

#include "espalier/modes/detail/sweep_program.hpp"

namespace espalier::modes::detail {

// Where each row of a loop is carried and where it closes; rows that others imply are taken out. The error: something
// can move that has neither inertia nor stiffness.
Result<SweepProgram> settle_rows(const Structure& structure, double largest_s, SweepProgram program);

}  // namespace espalier::modes::detail
