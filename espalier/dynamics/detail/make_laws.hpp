#pragma once

#include "espalier/dynamics/detail/laws.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

// The laws of the system's model, placed in its links. Limits of joints and of springs get their stiffness from the
// inertia at the drawn pose, the same for every tree: one evaluation per limit. Links, closures, drives, body_places
// and link_of must be there.
Laws make_laws(const System& system, const model::Laws& resolved);

}  // namespace espalier::dynamics::detail
