#pragma once

// How far up the asked number of eigenfrequencies reaches.

#include <cstdint>

#include "espalier/base/result.hpp"
#include "espalier/modes/structure.hpp"
#include "espalier/modes/sweep.hpp"

namespace espalier::modes {

// A frequency below which at least `count` eigenfrequencies lie, beside free motions, and not many more;
// with the sweep made for it. Fewer where the structure has no more.
struct Range {
  Sweep sweep;
  double upto = 0;  // [rad/s]
  int beside = 0;   // so many lie below it beside free motions
  std::int64_t counts = 0;
};
Result<Range> find_range(const Structure& structure, const Tree& tree, int count);

}  // namespace espalier::modes
