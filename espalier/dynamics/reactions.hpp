#pragma once

// What every joint transmits, and how far cut joints are from closed.

#include <cstdint>
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

// Which components of the reactions the laws of motion decide, and which are one choice of many, since equations repeat
// each other: six a joint of the model, force x y z and couple x y z at the origin of frame F and along its axes; 1:
// unique, 0: not. At q, which must be closed, with the rows chosen. Of planar loops it holds in every pose. 0
// everywhere where loops are too interwoven to know. O(rows + sum of the loops' lengths), nothing where no row is left
// out.
std::vector<std::uint8_t> unique_reactions(const System& system, double time, std::span<const double> q,
                                           const Workspace& work);
// Joints of which at least one component is not unique.
std::vector<model::JointId> unclear_joints(std::span<const std::uint8_t> unique);

}  // namespace espalier::dynamics
