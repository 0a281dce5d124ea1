#pragma once

#include "espalier/base/result.hpp"
#include "espalier/modes/detail/pass_program.hpp"
#include "espalier/modes/structure.hpp"

namespace espalier::modes::detail {

// `precise`: for passes in double-double too. The error: something can move that has neither inertia nor stiffness.
Result<PassProgram> make_program(const Structure& structure, const Tree& tree, double largest_s, bool precise);

}  // namespace espalier::modes::detail
