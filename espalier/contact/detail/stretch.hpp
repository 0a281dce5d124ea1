#pragma once

#include <memory>

#include "espalier/contact/detail/domain.hpp"

namespace espalier::contact::detail {

// The shapes of a body at mid step: the corners of a pseudo-rigid body's polyhedra go where F takes them. Balls and
// capsules keep their form and are carried along. Of other bodies, and where F turns the body inside out, the
// shapes as they are.
const BodyShapes& shapes_of(const LocalBody& local);

// Makes those shapes of a pseudo-rigid body from its mid pose; nothing for others. A function of the body alone, so
// that every rank makes its own. O(corners).
void stretch_shapes(LocalBody& local);

}  // namespace espalier::contact::detail
