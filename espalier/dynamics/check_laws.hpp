#pragma once

#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics {

// What the model asks for and this engine, on this tree, does otherwise. An error where the answer would be wrong, with
// the way out; notes where it is right within what they say. Call it once before a run. O(links).
//   errors  elastic bodies; bodies that `active` restricts more than their joints do; a cut joint whose law needs its
//           coordinate and that could not be kept; a drive on a joint that cannot move; a coordinate that no mass
//           resists
//   notes   contact; limits of drives; bodies that hardly any mass resists
Result<std::vector<model::Note>> check_laws(const System& system);

}  // namespace espalier::dynamics
