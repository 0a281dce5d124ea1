#pragma once

#include <string>

#include "apps/espalier/commands.hpp"
#include "espalier/modes/structure.hpp"
#include "espalier/modes/sweep.hpp"

namespace espalier::app {

// `modes --show-matrix`: order and unknowns of the overall transfer equation; at an s its determinant, and as JSON the
// matrix.
Result<std::string> show_matrix(const ModesCommand& command, const modes::Structure& structure,
                                const modes::Tree& tree);

}  // namespace espalier::app
