#include "espalier/modes/detail/free_motions.hpp"

#include <cmath>

#include "espalier/modes/detail/loose_motions.hpp"

namespace espalier::modes::detail {
namespace {

// Blocks that move as one become vertices that move, the largest number 1.
Shape make_shape(const Structure& structure, const Blocks& blocks, const Eigen::VectorXd& motion) {
  Shape shape(structure.vertices.size());
  double largest = 0;
  for (std::size_t v = 0; v < structure.vertices.size(); ++v) {
    // What is one with the ground does not move.
    if (blocks.of_vertex[v] < 0) continue;
    const Eigen::Matrix<double, 6, 1> u = vertex_motion(structure, blocks, static_cast<int>(v), motion);
    for (std::size_t k = 0; k < 6; ++k) {
      shape[v][k] = structure.vertices[v].moves[k] ? u[static_cast<Eigen::Index>(k)] : 0.0;
      largest = std::max(largest, std::abs(shape[v][k]) * (k < 3 ? 1 : structure.length_unit));
    }
  }
  for (auto& vertex : shape) {
    for (std::complex<double>& u : vertex) u /= largest;
  }
  return shape;
}

}  // namespace

FreeMotions find_free_motions(const Structure& structure) {
  FreeMotions free;
  const Blocks blocks = make_blocks(structure), damped = make_blocks(structure, HeldBy::kStiffnessOrDamping);
  // O(blocks^3): beyond it the count says what kinematics does not.
  if (blocks.count > kMostBlocks || damped.count > kMostBlocks) return free;
  free.known = true;
  if (blocks.count == 0) return free;
  const Eigen::MatrixXd motions = loose_motions(structure, blocks).motions;
  for (Eigen::Index j = 0; j < motions.cols(); ++j)
    free.shapes.push_back(make_shape(structure, blocks, motions.col(j)));
  // Without loose blocks dampers hold everything: each free motion is a simple root at 0.
  if (damped.count == 0) return free;
  free.undamped = static_cast<int>(loose_motions(structure, damped, HeldBy::kStiffnessOrDamping).motions.cols());
  return free;
}

}  // namespace espalier::modes::detail
