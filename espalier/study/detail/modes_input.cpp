#include "espalier/study/detail/modes_input.hpp"

#include <utility>

#include "espalier/modes/modes.hpp"

namespace espalier::study::detail {

// In this order errors are most useful: what the reader left out, what has no linear meaning, what has no tree.
Result<ModesInput> make_modes_input(const LoadedModel& loaded) {
  // A mass or spring that was not read would move every frequency without a word.
  Result<ReaderNotes> reader = reader_notes(loaded, model::Use::kModes);
  ESPALIER_TRY(reader);
  Result<modes::Structure> structure = modes::make_structure(loaded.model);
  ESPALIER_TRY(structure);
  Result<modes::Tree> tree = modes::plan_tree(*structure);
  ESPALIER_TRY(tree);
  return ModesInput{*std::move(reader), *std::move(structure), *std::move(tree)};
}

}  // namespace espalier::study::detail
