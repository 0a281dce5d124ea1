#pragma once

#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics {

// Adds the wrenches of all springs, bushings and loads of the model to links.force, at the poses and velocities of
// `links`. Efforts on a joint act as a pair of wrenches on its two bodies, whether it is in the tree or cut. Gravity is
// no wrench: it is an acceleration of the world.
void add_forces(const System& system, double time, LinkArrays& links);

}  // namespace espalier::dynamics
