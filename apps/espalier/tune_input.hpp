#pragma once

#include "apps/espalier/commands.hpp"
#include "apps/espalier/reader_notes.hpp"
#include "espalier/study/tune_folder.hpp"

namespace espalier::app {

struct TuneInput {
  study::TuneRecord record;  // of a restart with the state to go on from
  study::DesignSpace space;
  bool restarted = false;
  ReaderNotes reader;
  std::vector<std::string> notes;  // what the user should know of the restart
};

// Errors name the option, or the file and line, and the way out.
Result<TuneInput> read_tune_input(const TuneCommand& command);

}  // namespace espalier::app
