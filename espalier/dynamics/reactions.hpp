#pragma once

// What every joint transmits, and how far cut joints are from closed.

#include <memory>
#include <span>
#include <vector>

#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics {

namespace detail {
class Welds;
}

// Largest gap of the closed joints.
struct LoopGap {
  double distance = 0;  // [m]
  double angle = 0;     // [rad]
};
LoopGap loop_gap(const System& system, const Workspace& work);

// Scratch and result of find_reactions; made once for a System.
struct Reactions {
  explicit Reactions(const System& system);
  ~Reactions();

  // By joint of the model: wrench on body b from body a, world axes about the world's origin.
  std::vector<math::SpatialVector> on_b;
  std::vector<math::SpatialVector> on_link;  // by link: what its parent's joint transmits to it
  std::unique_ptr<detail::Welds> welds;
};

// At an evaluated state, with update_links(): all a joint transmits, what it holds by itself and its drive, spring and
// load. Where equations repeat each other the share of each is one choice of many; of fixed joints that close a loop
// among themselves those with the higher ids carry nothing. O(bodies + rows).
void find_reactions(const System& system, double time, std::span<const double> q, std::span<const double> v,
                    const Workspace& work, Reactions& reactions);

}  // namespace espalier::dynamics
