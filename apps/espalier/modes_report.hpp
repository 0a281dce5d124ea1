#pragma once

#include <string>

#include "espalier/modes/modes.hpp"

namespace espalier::app {

struct ModesReport {
  std::string file;
  std::string model;
  modes::Structure structure;
  modes::ModeSet set;
  int ranks = 1;
  bool shapes = true;
  modes::GridOptions grid;
};

std::string modes_text(const ModesReport& report);
std::string modes_json(const ModesReport& report);

}  // namespace espalier::app
