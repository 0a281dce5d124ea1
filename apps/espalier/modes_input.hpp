#pragma once

#include "apps/espalier/commands.hpp"
#include "espalier/modes/modes.hpp"

namespace espalier::app {

// The options without their watches. Errors name the option, the value and the way out.
Result<modes::ModesOptions> make_modes_options(const ModesCommand& command);

}  // namespace espalier::app
