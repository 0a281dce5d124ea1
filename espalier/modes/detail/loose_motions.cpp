#include "espalier/modes/detail/loose_motions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/modes/detail/builder.hpp"

namespace espalier::modes::detail {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Of lengths near 1.
constexpr double kSame = 1e-12;

const Vertex& vertex_of(const Structure& structure, const Element& element, std::size_t end) {
  return structure.vertices[to_index(element.vertex[end])];
}

// The rows of an element in which its two ends move as one.
std::vector<int> held_rows(const Element& element, HeldBy by) {
  if (const Beam* beam = std::get_if<Beam>(&element.law)) {
    // What bends holds its ends to each other in every direction, also in those whose mass does not count.
    if (beam->bend_y || beam->bend_z) return {0, 1, 2, 3, 4, 5};
    std::vector<int> rows;
    if (beam->axial) rows.push_back(0);
    if (beam->torsion) rows.push_back(3);
    return rows;
  }
  const Hinge& hinge = std::get<Hinge>(element.law);
  std::vector<int> rows;
  for (int k = 0; k < 6; ++k) {
    const auto d = to_index(k);
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
    // A direction that neither end can reach needs no stiffness.
    if (std::find(held.begin(), held.end(), row) != held.end()) continue;
    for (std::size_t end = 0; end < 2; ++end) {
      if (is_moved(vertex_of(structure, element, end), element.to_local[end], row)) return true;
    }
  }
  return false;
}

// Displacement of a vertex from that of its block, in units in which rotations are lengths.
Matrix6 from_block(const Structure& structure, const Blocks& blocks, int vertex) {
  const auto v = to_index(vertex);
  // u + theta x arm of the block's own point.
  const Vector3d arm = structure.vertices[v].point - blocks.point[to_index(blocks.of_vertex[v])];
  Matrix6 matrix = Matrix6::Identity();
  matrix.topRightCorner<3, 3>() = -math::skew(arm) / structure.length_unit;
  matrix.bottomRightCorner<3, 3>() /= structure.length_unit;
  return matrix;
}

// Conditions, each a column of length 1 or so.
using Conditions = std::vector<VectorXd>;

// Adds one on the blocks of two vertices (or of one).
void add_condition(const Blocks& blocks, std::array<int, 2> vertex, std::array<Eigen::RowVectorXd, 2> row,
                   Conditions& conditions) {
  double norm = 0;
  // Conditions of one length, so that how much one holds beside the others is a number without unit.
  for (const Eigen::RowVectorXd& part : row) norm = std::max(norm, part.norm());
  if (norm == 0) return;
  VectorXd condition = VectorXd::Zero(6 * blocks.count);
  for (std::size_t i = 0; i < 2; ++i) {
    if (row[i].size() == 0) continue;
    const int block = blocks.of_vertex[to_index(vertex[i])];
    condition.segment<6>(6 * block) += row[i].transpose() / norm;
  }
  // Of two points of one block that are the same nothing is left but rounding.
  if (condition.norm() > kSame) conditions.push_back(std::move(condition));
}

// One for each direction that a spring or damper between a vertex and the ground holds, however softly.
void add_held(const Blocks& blocks, int vertex, const Matrix6& law, const Matrix6& displacement,
              Conditions& conditions) {
  // A matrix of springs holds along its eigenvectors, each as one condition.
  const Eigen::SelfAdjointEigenSolver<Matrix6> solver(law);
  for (Eigen::Index k = 0; k < 6; ++k) {
    if (!(solver.eigenvalues()[k] > kSame * solver.eigenvalues()[5])) continue;
    add_condition(blocks, {vertex, -1}, {solver.eigenvectors().col(k).transpose() * displacement, {}}, conditions);
  }
}

// Between a vertex and the ground: its own springs, and the foundation along elastic bodies.
void add_grounded(const Structure& structure, const Blocks& blocks, HeldBy by, Conditions& all) {
  const bool damping = by == HeldBy::kStiffnessOrDamping;
  for (std::size_t v = 0; v < structure.vertices.size(); ++v) {
    if (blocks.of_vertex[v] < 0) continue;
    const Matrix6 displacement = from_block(structure, blocks, static_cast<int>(v));
    const Vertex& vertex = structure.vertices[v];
    if (!vertex.stiffness.isZero(0)) add_held(blocks, static_cast<int>(v), vertex.stiffness, displacement, all);
    if (damping && !vertex.damping.isZero(0)) add_held(blocks, static_cast<int>(v), vertex.damping, displacement, all);
  }
  for (const Element& element : structure.elements) {
    const Beam* beam = std::get_if<Beam>(&element.law);
    if (beam == nullptr || !(beam->foundation > 0 || (damping && beam->viscous > 0))) continue;
    // A foundation holds displacements alone; both ends together hold the rotation too.
    for (const auto& [row, carried] : {std::pair(0, beam->axial), {1, beam->bend_y}, {2, beam->bend_z}}) {
      for (std::size_t end = 0; carried && end < 2; ++end) {
        const int v = element.vertex[end];
        if (blocks.of_vertex[to_index(v)] < 0) continue;
        add_condition(blocks, {v, -1}, {element.to_local[end].row(row) * from_block(structure, blocks, v), {}}, all);
      }
    }
  }
}

MatrixXd conditions(const Structure& structure, const Blocks& blocks, HeldBy by) {
  // In the order supports, joints, springs to the ground.
  Conditions all;
  for (std::size_t v = 0; v < structure.vertices.size(); ++v) {
    if (blocks.of_vertex[v] < 0) continue;
    const Matrix6 displacement = from_block(structure, blocks, static_cast<int>(v));
    for (int k = 0; k < 6; ++k) {
      if (structure.vertices[v].moves[to_index(k)]) continue;
      add_condition(blocks, {static_cast<int>(v), -1}, {displacement.row(k), {}}, all);
    }
  }
  for (const Element* element : blocks.loose) {
    for (const int k : held_rows(*element, by)) {
      std::array<Eigen::RowVectorXd, 2> row;
      for (std::size_t end = 0; end < 2; ++end) {
        const int v = element->vertex[end];
        if (blocks.of_vertex[to_index(v)] < 0) continue;
        // Both ends move as one in a held direction: the difference of their displacements vanishes.
        row[end] = (end == 0 ? 1 : -1) * element->to_local[end].row(k) * from_block(structure, blocks, v);
      }
      add_condition(blocks, element->vertex, row, all);
    }
  }
  add_grounded(structure, blocks, by, all);
  MatrixXd columns(6 * blocks.count, static_cast<Eigen::Index>(all.size()));
  for (std::size_t k = 0; k < all.size(); ++k) columns.col(static_cast<Eigen::Index>(k)) = all[k];
  return columns;
}

}  // namespace

Blocks make_blocks(const Structure& structure, HeldBy by) {
  const auto n = static_cast<int>(structure.vertices.size());
  DisjointSets sets(structure.vertices.size() + 1);  // n: all that stands still
  for (int v = 0; v < n; ++v) {
    // All that stands still is one set, whatever connects it.
    if (!moves(structure.vertices[to_index(v)])) sets.join(v, n);
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
    int& block = number[to_index(set)];
    if (set != ground && block < 0) {
      block = blocks.count++;
      blocks.point.push_back(structure.vertices[to_index(v)].point);
    }
    blocks.of_vertex.push_back(set == ground ? -1 : block);
  }
  return blocks;
}

// The conditions themselves, not their squares: what holds by 1e-7 of a length is held.
LooseMotions loose_motions(const Structure& structure, const Blocks& blocks, HeldBy by) {
  constexpr double kRounding = 1e-11;
  const MatrixXd columns = conditions(structure, blocks, by);
  const Eigen::Index size = 6 * blocks.count;
  if (columns.cols() == 0) return {MatrixXd::Identity(size, size), 1};
  // Column pivoting orders the conditions by what each adds to those before it.
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(columns);
  LooseMotions found;
  Eigen::Index rank = 0;
  for (; rank < std::min(size, columns.cols()); ++rank) {
    const double held = std::abs(qr.matrixQR()(rank, rank));
    if (!(held > kRounding)) break;
    found.least_hold = std::min(found.least_hold, held);
  }
  // Orthogonal to all conditions, and to each other.
  found.motions = MatrixXd(qr.householderQ()).rightCols(size - rank);
  return found;
}

Eigen::Matrix<double, 6, 1> vertex_motion(const Structure& structure, const Blocks& blocks, int vertex,
                                          const Eigen::VectorXd& motion) {
  const int block = blocks.of_vertex[to_index(vertex)];
  return from_block(structure, blocks, vertex) * motion.segment<6>(6 * block);
}

}  // namespace espalier::modes::detail
