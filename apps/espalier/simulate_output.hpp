#pragma once

#include "apps/espalier/commands.hpp"
#include "espalier/base/result.hpp"
#include "espalier/study/simulate.hpp"

namespace espalier::app {

// How a run went.
struct Outcome {
  Result<study::SimulateAnswer> answer;
  bool begun = false;
  int signal = 0;  // that stopped it; 0: none
};

// Prints report, document and page as they were asked for; the program's exit code.
int print_answer(const SimulateCommand& command, const Outcome& outcome);

}  // namespace espalier::app
