#pragma once

#include "apps/espalier/commands.hpp"
#include "apps/espalier/reader_notes.hpp"
#include "espalier/model/model.hpp"
#include "espalier/modes/modes.hpp"

namespace espalier::app {

// The options without their watches. Errors name the option, the value and the way out.
Result<modes::ModesOptions> make_modes_options(const ModesCommand& command);

// What is read and made before anything is searched.
struct ModesInput {
  model::Model model;
  modes::ModesOptions options;
  modes::Structure structure;
  modes::Tree tree;
  ReaderNotes reader;
};
Result<ModesInput> read_modes_input(const ModesCommand& command);

}  // namespace espalier::app
