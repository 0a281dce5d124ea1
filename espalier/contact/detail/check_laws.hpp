#pragma once

#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/model/model.hpp"

namespace espalier::contact::detail {

// What the model asks for and this engine does otherwise. An error where the answer would be wrong, with the way out;
// notes, in sentences, where it is right within what they say. O(size of the model).
//   errors  elastic bodies, bodies without mass or inertia, `active`; couplings; directions, laws and bushings of
//           pseudo-rigid bodies; velocities of joints; springs and limits of angles that need to count turns; a motion
//           of a joint that cannot move
//   notes   springs of angles; limits of drives
Result<std::vector<std::string>> check_laws(const model::Model& model, const model::Laws& laws);

}  // namespace espalier::contact::detail
