#pragma once

// Words in, commands out. CLI11 is heavy to compile: only options.cpp, which has the options of all verbs, what reads
// the command (espalier.cpp) and what describes its options (describe.cpp, help_verbs.cpp) have it.

#include <functional>

#include "apps/espalier/commands.hpp"

namespace CLI {
class App;
}

namespace espalier::app {

// Of every verb; the one that is typed is filled.
struct Commands {
  CheckCommand check;
  PlanCommand plan;
  SimulateCommand simulate;
  ModesCommand modes;
  TuneCommand tune;
  ConvertCommand convert;
  GenerateCommand generate;
  ViewCommand view;
  DemoOptions demo;
};

// The verbs with all their options. After parsing, `chosen` calls the one that was typed; `commands` and `chosen` must
// outlive that.
void add_verbs(CLI::App& app, Commands& commands, std::function<int()>& chosen);

}  // namespace espalier::app
