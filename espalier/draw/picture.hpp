#pragma once

#include <string>

#include "espalier/model/model.hpp"

namespace espalier::draw {

// The mechanism in its drawn pose as a self-contained SVG: bodies as bars and plates between their joints, joints as
// dots (a cross where a joint stands open), the ground hatched. Seen along the joints' common axis where the mechanism
// is planar, else from above at an angle. Hovering shows names.
std::string draw_svg(const model::Model& model);

}  // namespace espalier::draw
