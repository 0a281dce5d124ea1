#pragma once

#include <vector>

#include "espalier/modes/mode_set.hpp"

namespace espalier::modes::detail {

// Motions without any stiffness. In s^2 M + s C + K each is a root s = 0, and twice where nothing dissipates either:
// eliminate all that has stiffness, and s C + s^2 M + O(s^3) is left of them.
struct FreeMotions {
  bool known = false;         // not where too many parts are loose
  int undamped = 0;           // motions free of damping too
  std::vector<Shape> shapes;  // one for each motion

  int motions() const { return static_cast<int>(shapes.size()); }
  int roots() const { return motions() + undamped; }
};

// By kinematics: what can move when all that has stiffness is rigid, and what when dampers are rigid too.
FreeMotions find_free_motions(const Structure& structure);

}  // namespace espalier::modes::detail
