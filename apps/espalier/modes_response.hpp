#pragma once

#include "apps/espalier/modes_input.hpp"

namespace espalier::app {

// modes --response: prints, writes and draws the frequency response. Returns the exit code.
int run_response(const ModesCommand& command, const ModesInput& input);

}  // namespace espalier::app
