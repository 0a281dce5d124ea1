#pragma once

#include "espalier/modes/structure.hpp"

namespace espalier::modes::detail {

// Fields of beams that nothing can move are left out; they would only cost time.
Structure without_idle_fields(Structure structure);

}  // namespace espalier::modes::detail
