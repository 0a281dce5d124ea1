#pragma once

// How far up the asked number of eigenfrequencies reaches.

#include <cstdint>
#include <optional>

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
// `free_motions`: how many there are, where kinematics says so.
Result<Range> find_range(const Structure& structure, const Tree& tree, int count, std::optional<int> free_motions = {});

// How high the eigenfrequencies of rigid bodies reach.
struct Highest {
  double omega = 0;     // [rad/s]; infinite where elastic bodies have no end
  bool bounds = false;  // no eigenfrequency lies above; else that is likely and no more
};
// Elements pull no more than if each end were held by twice their stiffness, and rigid joints raise no largest
// eigenfrequency of bodies that all have mass: K <= 2 diag(K_vv) bounds it vertex by vertex. A vertex without mass says
// nothing.
Highest highest_frequency(const Structure& structure);

}  // namespace espalier::modes
