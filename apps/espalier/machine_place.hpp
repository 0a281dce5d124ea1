#pragma once

#include <string>

namespace espalier::app {

// Where the constants of this machine are kept: espalier/machine.json in $XDG_CONFIG_HOME or ~/.config. Empty where
// neither is known.
std::string machine_place();

}  // namespace espalier::app
