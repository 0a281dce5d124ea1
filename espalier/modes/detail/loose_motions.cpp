#include "espalier/modes/detail/loose_motions.hpp"

#include <algorithm>
#include <array>
#include <variant>

#include <Eigen/Eigenvalues>

#include "espalier/modes/detail/builder.hpp"
#include "espalier/base/disjoint_sets.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::modes::detail {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;

const Vertex& vertex_of(const Structure& structure, const Element& element, std::size_t end) {
  return structure.vertices[static_cast<std::size_t>(element.vertex[end])];
}

// The rows of an element in which its two ends move as one.
std::vector<int> held_rows(const Element& element, HeldBy by) {
  if (const Beam* beam = std::get_if<Beam>(&element.law)) {
    if (beam->bend_y || beam->bend_z) return {0, 1, 2, 3, 4, 5};
    std::vector<int> rows;
    if (beam->axial) rows.push_back(0);
    if (beam->torsion) rows.push_back(3);
    return rows;
  }
  const Hinge& hinge = std::get<Hinge>(element.law);
  std::vector<int> rows;
  for (int k = 0; k < 6; ++k) {
    const auto d = static_cast<std::size_t>(k);
    // A damper alone brings no force back.
    const bool damped = by == HeldBy::kStiffnessOrDamping && hinge.damping[d] > 0;
    if (hinge.kind[d] == Hinge::Kind::kRigid || hinge.stiffness[d] > 0 || damped) rows.push_back(k);
  }
  return rows;
}

// True where the ends can move against each other without stiffness.
bool is_loose(const Structure& structure, const Element& element, HeldBy by) {
  const std::vector<int> held = held_rows(element, by);
  for (int row = 0; row < 6; ++row) {
    if (std::find(held.begin(), held.end(), row) != held.end()) continue;
    for (std::size_t end = 0; end < 2; ++end) {
      if (is_moved(vertex_of(structure, element, end), element.to_local[end], row)) return true;
    }
  }
  return false;
}

// Displacement of a vertex from that of its block, in units in which rotations are lengths.
Matrix6 from_block(const Structure& structure, const Blocks& blocks, int vertex) {
  const auto v = static_cast<std::size_t>(vertex);
  const Vector3d arm = structure.vertices[v].point - blocks.point[static_cast<std::size_t>(blocks.of_vertex[v])];
  Matrix6 matrix = Matrix6::Identity();
  matrix.topRightCorner<3, 3>() = -math::skew(arm) / structure.length_unit;
  matrix.bottomRightCorner<3, 3>() /= structure.length_unit;
  return matrix;
}

// Adds row^T row of conditions on the blocks of two vertices (or of one).
void add_condition(const Blocks& blocks, std::array<int, 2> vertex, std::array<Eigen::RowVectorXd, 2> row,
                   MatrixXd& gram) {
  double norm = 0;
  for (const Eigen::RowVectorXd& part : row) norm = std::max(norm, part.squaredNorm());
  if (norm == 0) return;
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      if (row[i].size() == 0 || row[j].size() == 0) continue;
      const int a = blocks.of_vertex[static_cast<std::size_t>(vertex[i])];
      const int b = blocks.of_vertex[static_cast<std::size_t>(vertex[j])];
      gram.block<6, 6>(6 * a, 6 * b) += row[i].transpose() * row[j] / norm;
    }
  }
}

// Between a vertex and the ground: its own springs, and the foundation along elastic bodies.
void add_grounded(const Structure& structure, const Blocks& blocks, HeldBy by, MatrixXd& gram) {
  const bool damping = by == HeldBy::kStiffnessOrDamping;
  for (std::size_t v = 0; v < structure.vertices.size(); ++v) {
    if (blocks.of_vertex[v] < 0) continue;
    Matrix6 spring = structure.vertices[v].stiffness;
    if (damping) spring += structure.vertices[v].damping;
    if (spring.isZero(0)) continue;
    const Matrix6 displacement = from_block(structure, blocks, static_cast<int>(v));
    const Matrix6 seen = displacement.transpose() * spring * displacement;
    const int at = 6 * blocks.of_vertex[v];
    gram.block<6, 6>(at, at) += seen / seen.cwiseAbs().maxCoeff();
  }
  for (const Element& element : structure.elements) {
    const Beam* beam = std::get_if<Beam>(&element.law);
    if (beam == nullptr || !(beam->foundation > 0 || (damping && beam->viscous > 0))) continue;
    for (const auto& [row, carried] : {std::pair(0, beam->axial), {1, beam->bend_y}, {2, beam->bend_z}}) {
      for (std::size_t end = 0; carried && end < 2; ++end) {
        const int v = element.vertex[end];
        if (blocks.of_vertex[static_cast<std::size_t>(v)] < 0) continue;
        add_condition(blocks, {v, -1}, {element.to_local[end].row(row) * from_block(structure, blocks, v), {}}, gram);
      }
    }
  }
}

MatrixXd conditions(const Structure& structure, const Blocks& blocks, HeldBy by) {
  MatrixXd gram = MatrixXd::Zero(6 * blocks.count, 6 * blocks.count);
  for (std::size_t v = 0; v < structure.vertices.size(); ++v) {
    if (blocks.of_vertex[v] < 0) continue;
    const Matrix6 displacement = from_block(structure, blocks, static_cast<int>(v));
    for (int k = 0; k < 6; ++k) {
      if (structure.vertices[v].moves[static_cast<std::size_t>(k)]) continue;
      add_condition(blocks, {static_cast<int>(v), -1}, {displacement.row(k), {}}, gram);
    }
  }
  for (const Element* element : blocks.loose) {
    for (const int k : held_rows(*element, by)) {
      std::array<Eigen::RowVectorXd, 2> row;
      for (std::size_t end = 0; end < 2; ++end) {
        const int v = element->vertex[end];
        if (blocks.of_vertex[static_cast<std::size_t>(v)] < 0) continue;
        row[end] = (end == 0 ? 1 : -1) * element->to_local[end].row(k) * from_block(structure, blocks, v);
      }
      add_condition(blocks, element->vertex, row, gram);
    }
  }
  add_grounded(structure, blocks, by, gram);
  return gram;
}

}  // namespace

Blocks make_blocks(const Structure& structure, HeldBy by) {
  const auto n = static_cast<int>(structure.vertices.size());
  DisjointSets sets(structure.vertices.size() + 1);  // n: all that stands still
  for (int v = 0; v < n; ++v) {
    if (!moves(structure.vertices[static_cast<std::size_t>(v)])) sets.join(v, n);
  }
  Blocks blocks;
  for (const Element& element : structure.elements) {
    if (is_loose(structure, element, by)) {
      blocks.loose.push_back(&element);
    } else {
      sets.join(element.vertex[0], element.vertex[1]);
    }
  }
  std::vector<int> number(structure.vertices.size() + 1, -1);
  const int ground = sets.find(n);
  for (int v = 0; v < n; ++v) {
    const int set = sets.find(v);
    int& block = number[static_cast<std::size_t>(set)];
    if (set != ground && block < 0) {
      block = blocks.count++;
      blocks.point.push_back(structure.vertices[static_cast<std::size_t>(v)].point);
    }
    blocks.of_vertex.push_back(set == ground ? -1 : block);
  }
  return blocks;
}

MatrixXd loose_motions(const Structure& structure, const Blocks& blocks, HeldBy by) {
  constexpr double kRounding = 1e-10;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(conditions(structure, blocks, by));
  int count = 0;
  while (count < 6 * blocks.count && solver.eigenvalues()[count] < kRounding) ++count;
  return solver.eigenvectors().leftCols(count);
}

Eigen::Matrix<double, 6, 1> vertex_motion(const Structure& structure, const Blocks& blocks, int vertex,
                                          const Eigen::VectorXd& motion) {
  const int block = blocks.of_vertex[static_cast<std::size_t>(vertex)];
  return from_block(structure, blocks, vertex) * motion.segment<6>(6 * block);
}

}  // namespace espalier::modes::detail
