#pragma once

#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

// Links, closures and body_places of the tree exactly as the plan has it, without laws and drives. The model's welds
// must be closed.
System make_plain_system(const model::Model& model, const plan::Mechanism& mechanism, const plan::Plan& plan);

}  // namespace espalier::dynamics::detail
