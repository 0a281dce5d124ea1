#pragma once

#include <memory>

#include "espalier/contact/domain.hpp"

namespace espalier::contact::detail {

// How a body looks at mid step: the corners of a pseudo-rigid body's polyhedra go where F takes them. Balls and
// capsules keep their form and are carried along. Of other bodies, and where F turns the body inside out, the look as
// it is.
const Look& look_of(const Present& present);

// Makes that look of a pseudo-rigid body from its mid pose; nothing for others. A function of the body alone, so that
// every rank makes its own. O(corners).
void stretch_look(Present& present);

}  // namespace espalier::contact::detail
