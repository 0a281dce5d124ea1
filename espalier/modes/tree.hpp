#pragma once

// The tree over which a structure is swept from its leaves to its roots.

#include <vector>

#include "espalier/modes/structure.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::modes {

// Over which elements the vertices are reached. Elements between two moving vertices that are in no tree are cut.
struct Tree {
  std::vector<int> parent;   // by vertex of the structure; -1: a root, or a support
  std::vector<int> element;  // to the parent; -1
};

// By a plan for make_network(structure).network.
Tree make_tree(const Structure& structure, const StructureNetwork& network, const plan::Plan& plan);

}  // namespace espalier::modes
