#include "espalier/study/detail/modes_input.hpp"

#include <utility>

#include "espalier/modes/modes.hpp"

namespace espalier::study::detail {

Result<ModesInput> make_modes_input(const LoadedModel& loaded) {
  Result<ReaderNotes> reader = reader_notes(loaded, model::Use::kModes);
  ESPALIER_TRY(reader);
  Result<modes::Structure> structure = modes::make_structure(loaded.model);
  ESPALIER_TRY(structure);
  Result<modes::Tree> tree = modes::plan_tree(*structure);
  ESPALIER_TRY(tree);
  return ModesInput{*std::move(reader), *std::move(structure), *std::move(tree)};
}

}  // namespace espalier::study::detail
