#pragma once

// Energies of a mechanism, and the power that passes through its surface: together they balance along any motion,
//   d/dt (kinetic + potential) = power.

#include <span>

#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics {

struct Energies {
  double kinetic = 0;    // [J]
  double potential = 0;  // of gravity and of all springs [J]
  double power = 0;      // of all forces that have no potential: dampers, friction, drives, loads [W]
};

// `work` must hold an evaluation at this time and state, with update_links(). O(links + forces).
Energies energies(const System& system, double time, std::span<const double> q, std::span<const double> v,
                  const Workspace& work);

// Energies::power alone: all that the outer wrenches and efforts do, without what springs give and take. So a law that
// has no potential needs no word here. update_links() is not needed.
double exchanged_power(const System& system, double time, std::span<const double> q, std::span<const double> v,
                       const Workspace& work);
// The same where an evaluation has left its results elsewhere: `links` with force laws applied, efforts by coordinate,
// multipliers by row.
double exchanged_power(const System& system, double time, std::span<const double> q, std::span<const double> v,
                       const LinkArrays& links, std::span<const double> effort, std::span<const double> lambda);

}  // namespace espalier::dynamics
