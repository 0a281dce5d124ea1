#pragma once

#include "apps/espalier/commands.hpp"
#include "espalier/study/modes.hpp"

namespace espalier::app {

// The words of the command as options of the library, without watches. Errors name the option, the value and the way
// out.
Result<study::ModesOptions> make_modes_options(const ModesCommand& command);
Result<study::ResponseOptions> make_response_options(const ModesCommand& command);
Result<study::ModeSweepOptions> make_sweep_options(const ModesCommand& command);
study::ModesFiles files_of(const ModesCommand& command);

}  // namespace espalier::app
