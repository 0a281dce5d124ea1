#pragma once

// What every joint transmits, and how far cut joints are from closed.

#include <vector>

#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics {

// Largest gap of the closed joints.
struct LoopGap {
  double distance = 0;  // [m]
  double angle = 0;     // [rad]
};
LoopGap loop_gap(const System& system, const Workspace& work);

// Scratch and result of find_reactions; made once for a System.
struct Reactions {
  explicit Reactions(const System& system);

  // By joint of the model: wrench on body b from body a, world axes about the world's origin.
  std::vector<math::SpatialVector> on_b;
  std::vector<math::SpatialVector> on_link;  // by link: what its parent's joint transmits to it
};

// At an evaluated state, with update_links(): all a joint transmits, what it holds by itself and its drive, spring and
// load. Where equations repeat each other the share of each is one choice of many. O(links + rows).
void find_reactions(const System& system, double time, const Workspace& work, Reactions& reactions);

}  // namespace espalier::dynamics
