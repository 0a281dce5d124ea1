#pragma once

// The order in which S2 is eliminated on a tree: from the tips to the root, each loop at the vertex where its ways
// meet.
//
// At every vertex v two kinds of unknowns are left over from the branches above: the acceleration of v itself, and the
// multipliers of loops that end in v's branch. A loop all of whose ends lie in v's branch `closes` at v, the lowest
// such vertex, and its multipliers are eliminated there. The others stay `open` and pass the joint below v, which
// couples all of them to each other. So loops that are local cost what they are, wherever in the tree they stand; what
// is costly is a joint that many open loops pass.
// Eliminating a multiplier block couples all blocks it was coupled to, as in any sparse factorisation.

#include <span>
#include <vector>

namespace espalier::plan {

// A loop as its equations see it: the vertices they act on, and how many there are. Vertex -1 is the world.
struct LoopEnds {
  std::vector<int> ends;
  int equations = 0;
};

struct LoopElimination {
  // By vertex, and the world last.
  std::vector<std::vector<int>> closing;  // loops that close there, as they are eliminated
  std::vector<std::vector<int>> open;     // loops that pass the joint between vertex and parent, increasing
  // By loop: the loops it is coupled to when it is eliminated, those that close at the same vertex first, in the order
  // of their elimination.
  std::vector<std::vector<int>> coupled;
};

// parent[v] is -1 for a vertex that stands on the world. `order` lists every vertex after its parent. Among loops that
// close at one vertex those coupled to the fewest rows come first. Time and memory are about those of the lists.
LoopElimination eliminate_loops(std::span<const int> parent, std::span<const int> order,
                                std::span<const LoopEnds> loops);

}  // namespace espalier::plan
