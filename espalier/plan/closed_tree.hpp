#pragma once

// A rooted tree and the equations that close its loops, and the pattern of the linear system S2 that they make in
// relative coordinates:
//   [ H  G^T ] [ accelerations ]     H couples two joints where one stands on the other's way to the root.
//   [ G   0  ] [ multipliers   ]     G couples a loop's equations to all joints on the two ways from its ends to
//                                    their lowest common ancestor; above it the two ways cancel.

#include <vector>

#include "espalier/graph/graph.hpp"
#include "espalier/graph/tree.hpp"
#include "espalier/plan/network.hpp"

namespace espalier::plan {

// Equations between two vertices of the tree. Vertex -1 is the world, on which every root stands.
struct Closure {
  int a = -1;
  int b = -1;
  int equations = 0;
};

struct ClosedTree {
  graph::Tree tree;              // or a forest
  std::vector<int> coordinates;  // by vertex: of the joint above it; of a root 0 if it is the ground, 6 if it floats
  std::vector<Closure> closures;
};

// Each cut edge closes a loop with 6 - f equations. A ground that is not its tree's root is held by 6 more. A network
// of joints only. O(V + E).
ClosedTree close_tree(const Network& network, const graph::Tree& tree);

// N(T), the size of the system: coordinates and equations. [Liu99] eq. (2), and 6 + 6 for another root than the ground.
int count_equations(const ClosedTree& closed);

// One block for each joint with coordinates, in the order of their vertices, then one for each closure.
struct KktPattern {
  graph::Graph pattern;
  std::vector<int> size;      // by block: coordinates or equations
  std::vector<int> block_of;  // by vertex: the block of the joint above it; -1: none
  int first_closure = 0;      // the block of closures[0]
};

// O(V + sum of depths + sum of loop lengths): as large as the pattern.
KktPattern make_kkt_pattern(const ClosedTree& closed);

// How the blocks are eliminated.
enum class EliminationOrder {
  kEquationsFirst,  // joints from the leaves to the root; a closure right before the first joint of its loop. Its own
                    // block is zero: it needs a small regularisation. Fills nothing where a loop runs up one branch.
  kEquationsLast,   // joints from the leaves to the root; a closure right after the last joint of its loop, so at the
                    // lowest common ancestor, as recursive methods for closed loops do. Branches stay independent.
  kMinimumDegree,   // graph::minimum_degree_order
};

std::vector<int> elimination_order(const ClosedTree& closed, const KktPattern& kkt, EliminationOrder order);

}  // namespace espalier::plan
