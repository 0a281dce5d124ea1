#pragma once

#include <cstdint>

#include "espalier/modes/mode_set.hpp"
#include "espalier/modes/structure.hpp"

namespace espalier::modes::detail {

// How far from s = 0 a damped structure is searched.
struct Extent {
  double top = 0;      // |Im s| [1/s]
  double decay = 0;    // -Re s [1/s]
  double barrier = 0;  // -Re s of the essential singularity; infinite where there is none [1/s]
  std::int64_t counts = 0;
};

// As the options ask: their box and a little more, their bounds, or as many modes as the structure would have without
// damping. The error: the essential singularity of Kelvin-Voigt damping lies inside.
Result<Extent> choose_extent(const Structure& structure, const Tree& tree, const ModesOptions& options);

}  // namespace espalier::modes::detail
