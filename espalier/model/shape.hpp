#pragma once

#include <optional>

#include "espalier/math/inertia.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::model {

// Mass properties of a shape at density 1 kg/m^3, in its own frame: the mass is the volume. Nothing for a plane, a mesh
// (never opened) and a flat hull.
std::optional<math::Inertia> solid_inertia(const ShapeSpec& shape);

}  // namespace espalier::model
