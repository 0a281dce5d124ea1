#pragma once

#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics {

// What the model asks for and this engine, on this tree, does otherwise. An error where the answer would be wrong, with
// the way out; notes where it is right within what they say. Call it once before a run. O(links).
//   errors  contact; bodies restricted to directions; armature of a cut joint; whole turns that a cut joint cannot
//           count; a drive on a joint that cannot move; a coordinate that no mass resists
//   notes   elastic bodies taken as rigid; limits of drives that nothing enforces; springs of cut hinges
Result<std::vector<model::Note>> check_laws(const System& system);

}  // namespace espalier::dynamics
