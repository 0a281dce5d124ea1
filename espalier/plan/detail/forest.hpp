#pragma once

#include "espalier/graph/graph.hpp"
#include "espalier/graph/tree.hpp"

namespace espalier::plan {

// A plan's tree in the form in which loops are found: order, parents and depths. O(V).
graph::Forest as_forest(const graph::Tree& tree);

}  // namespace espalier::plan
