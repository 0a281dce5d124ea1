#include "espalier/modes/structure.hpp"

#include "espalier/base/index.hpp"

namespace espalier::modes {

Tree make_tree(const Structure& structure, const StructureNetwork& network, const plan::Plan& plan) {
  Tree tree{std::vector<int>(structure.vertices.size(), -1), std::vector<int>(structure.vertices.size(), -1)};
  for (std::size_t v = 0; v < network.vertex.size(); ++v) {
    // Roots and supports keep their -1.
    if (plan.tree.parent[v] < 0) continue;
    const auto vertex = to_index(network.vertex[v]);
    tree.parent[vertex] = network.vertex[to_index(plan.tree.parent[v])];
    // The plan numbers vertices and edges of the network; a structure has supports and their elements beside.
    tree.element[vertex] = network.element[to_index(plan.tree.parent_edge[v])];
  }
  return tree;
}

}  // namespace espalier::modes
