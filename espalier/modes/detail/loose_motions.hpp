#pragma once

#include <vector>

#include <Eigen/Core>

#include "espalier/modes/structure.hpp"

namespace espalier::modes::detail {

// What moves as one where all that is elastic is rigid.
struct Blocks {
  std::vector<int> of_vertex;          // -1: stands still
  std::vector<Eigen::Vector3d> point;  // about which a block turns
  std::vector<const Element*> loose;   // whose ends can move against each other
  int count = 0;
};

// More blocks are not looked at: their motions take O(blocks^3).
inline constexpr int kMostBlocks = 100;

// What holds two ends together, or a body on the ground.
enum class HeldBy { kStiffness, kStiffnessOrDamping };

Blocks make_blocks(const Structure& structure, HeldBy by = HeldBy::kStiffness);

struct LooseMotions {
  Eigen::MatrixXd motions;  // columns: six numbers a block, rotations times length_unit
  double least_hold = 1;    // by how much of its length the last condition that counts is independent of the others
};
// What is left to move when all that holds is rigid.
LooseMotions loose_motions(const Structure& structure, const Blocks& blocks, HeldBy by = HeldBy::kStiffness);

// Displacement of a vertex of a block that moves, from such a column [m], [rad].
Eigen::Matrix<double, 6, 1> vertex_motion(const Structure& structure, const Blocks& blocks, int vertex,
                                          const Eigen::VectorXd& motion);

}  // namespace espalier::modes::detail
