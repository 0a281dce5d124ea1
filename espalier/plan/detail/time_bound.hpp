#pragma once

#include "espalier/plan/detail/pieces.hpp"
#include "espalier/plan/options.hpp"

namespace espalier::plan::detail {

// A time that no tree undercuts. Each joint either stays in the tree, with its coordinates, or is cut: then its rows
// are built, eliminated at the world coupled to nothing, and carried over the other joints of the shortest loop it lies
// on. The tree for which the sum of these is smallest is a lightest spanning tree. To it comes what loops take that
// must pass a joint together: where k ways without a common joint lead from one body to another, every tree has a joint
// that k - 1 loops pass. With more workers an even share of that, or the farthest vertex from a root that is fixed. O(E
// log E + E times the size of a shortest loop's surroundings), and a set amount of work for the ways.
double time_bound(const Pieces& pieces, const MachineConstants& machine, int workers);

}  // namespace espalier::plan::detail
