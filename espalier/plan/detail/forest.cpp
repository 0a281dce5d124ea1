#include "espalier/plan/detail/forest.hpp"

namespace espalier::plan {

graph::Forest as_forest(const graph::Tree& tree) {
  graph::Forest forest;
  forest.order = tree.order;
  forest.parent = tree.parent;
  forest.parent_edge = tree.parent_edge;
  forest.depth.assign(tree.parent.size(), 0);
  for (const int v : tree.order) {
    if (tree.parent[v] >= 0) forest.depth[v] = forest.depth[tree.parent[v]] + 1;
  }
  return forest;
}

}  // namespace espalier::plan
