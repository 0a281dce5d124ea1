#pragma once

// What every question about small vibrations starts from.

#include "espalier/modes/structure.hpp"
#include "espalier/modes/pass.hpp"
#include "espalier/study/load.hpp"

namespace espalier::study::detail {

struct ModesInput {
  ReaderNotes reader;
  modes::Structure structure;
  modes::Tree tree;
};
Result<ModesInput> make_modes_input(const LoadedModel& loaded);

}  // namespace espalier::study::detail
