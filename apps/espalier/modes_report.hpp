#pragma once

#include <optional>
#include <string>

#include "apps/espalier/reader_notes.hpp"
#include "espalier/model/model.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/modes/results.hpp"

namespace espalier::app {

struct ModesReport {
  std::string file;
  std::string model;
  modes::Structure structure;
  modes::ModeSet set;
  int ranks = 1;
  bool shapes = true;
  modes::GridOptions grid;
  model::Model model_data;
  modes::Tree tree;
  std::optional<modes::ModeResults> results;  // where shapes were asked for
  ReaderNotes reader;
};

std::string modes_text(const ModesReport& report);
std::string modes_json(const ModesReport& report);

}  // namespace espalier::app
