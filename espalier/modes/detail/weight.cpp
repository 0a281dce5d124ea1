#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "espalier/modes/detail/builder.hpp"
#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/text.hpp"
#include "espalier/math/rotation.hpp"

// What gravity and constant loads do to small vibrations. On a structure that stands without them they add stiffness of
// the order of a weight by a length: left out, as usual. A mechanism has motions without any stiffness, and there the
// weight decides alone. So the question is which motions are left when all that is elastic is made rigid.
//   1  blocks: vertices that beams and hinges without a release hold together
//   2  Gram matrix of all conditions on the six displacements of each block; its null vectors are the motions
//   3  a weight does work on a motion, to second order, where a block turns about an axis that is not vertical, and to
//      first order where one sinks

namespace espalier::modes::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, 6>;

constexpr int kMostBlocks = 100;

const Vertex& vertex_of(const Structure& structure, const Element& element, std::size_t end) {
  return structure.vertices[static_cast<std::size_t>(element.vertex[end])];
}

// The rows of an element in which its two ends move as one.
std::vector<int> held_rows(const Element& element) {
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
    const bool held = hinge.kind[d] == Hinge::Kind::kRigid || hinge.stiffness[d] > 0;
    if (held) rows.push_back(k);
  }
  return rows;
}

// True where the ends can move against each other without stiffness.
bool is_loose(const Structure& structure, const Element& element) {
  const std::vector<int> held = held_rows(element);
  for (int row = 0; row < 6; ++row) {
    if (std::find(held.begin(), held.end(), row) != held.end()) continue;
    for (std::size_t end = 0; end < 2; ++end) {
      if (is_moved(vertex_of(structure, element, end), element.to_local[end], row)) return true;
    }
  }
  return false;
}

struct Blocks {
  std::vector<int> of_vertex;   // -1: stands still
  std::vector<Vector3d> point;  // about which a block turns
  std::vector<const Element*> loose;
  int count = 0;
};

Blocks make_blocks(const Structure& structure) {
  const auto n = static_cast<int>(structure.vertices.size());
  DisjointSets sets(structure.vertices.size() + 1);  // n: all that stands still
  for (int v = 0; v < n; ++v) {
    if (!moves(structure.vertices[static_cast<std::size_t>(v)])) sets.join(v, n);
  }
  Blocks blocks;
  for (const Element& element : structure.elements) {
    if (is_loose(structure, element)) {
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

// Vertices that nothing joins to what stands still fall together, and weigh nothing on one another.
std::vector<bool> find_falling(const Structure& structure, const Vector3d& gravity) {
  const auto n = static_cast<int>(structure.vertices.size());
  DisjointSets sets(structure.vertices.size() + 1);
  for (int v = 0; v < n; ++v) {
    const Directions& may = structure.vertices[static_cast<std::size_t>(v)].moves;
    for (std::size_t k = 0; k < 3; ++k) {
      if (gravity[static_cast<int>(k)] != 0 && !may[k]) sets.join(v, n);
    }
  }
  for (const Element& element : structure.elements) sets.join(element.vertex[0], element.vertex[1]);
  std::vector<bool> falling;
  for (int v = 0; v < n; ++v) falling.push_back(sets.find(v) != sets.find(n));
  return falling;
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

MatrixXd conditions(const Structure& structure, const Blocks& blocks) {
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
    for (const int k : held_rows(*element)) {
      std::array<Eigen::RowVectorXd, 2> row;
      for (std::size_t end = 0; end < 2; ++end) {
        const int v = element->vertex[end];
        if (blocks.of_vertex[static_cast<std::size_t>(v)] < 0) continue;
        row[end] = (end == 0 ? 1 : -1) * element->to_local[end].row(k) * from_block(structure, blocks, v);
      }
      add_condition(blocks, element->vertex, row, gram);
    }
  }
  return gram;
}

// Columns: what is left to move when all that is elastic is rigid.
MatrixXd loose_motions(const Structure& structure, const Blocks& blocks) {
  constexpr double kRounding = 1e-10;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(conditions(structure, blocks));
  int count = 0;
  while (count < 6 * blocks.count && solver.eigenvalues()[count] < kRounding) ++count;
  return solver.eigenvectors().leftCols(count);
}

// The first block that is not falling and on which `gravity` does work in one of the motions; -1.
int find_weighted(const Structure& structure, const Blocks& blocks, const MatrixXd& motions, const Vector3d& gravity) {
  constexpr double kRounding = 1e-6;
  const std::vector<bool> falling = find_falling(structure, gravity);
  const Vector3d down = gravity.normalized();
  for (std::size_t v = 0; v < structure.vertices.size(); ++v) {
    const int block = blocks.of_vertex[v];
    if (block < 0 || falling[v]) continue;
    const MatrixXd turn = math::skew(down) * motions.middleRows(6 * block + 3, 3);
    const MatrixXd sink = down.transpose() * motions.middleRows(6 * block, 3);
    if (turn.norm() > kRounding || sink.norm() > kRounding) return block;
  }
  return -1;
}

// Where to look: a joint that holds the block, or the first loose one.
const Element& loose_element(const Blocks& blocks, int block) {
  for (const Element* element : blocks.loose) {
    for (const int v : element->vertex) {
      if (blocks.of_vertex[static_cast<std::size_t>(v)] == block) return *element;
    }
  }
  return *blocks.loose.front();
}

const model::Force* constant_load(const model::Model& model) {
  for (const model::Force& force : model.forces) {
    const model::Load* load = std::get_if<model::Load>(&force.law);
    if (load == nullptr) continue;
    for (const model::Expression& value : load->value) {
      if (model::evaluate(value, 0) != 0) return &force;
    }
  }
  return nullptr;
}

Result<void> refuse_weight(const Builder& builder, const Blocks& blocks, int block) {
  Where where;
  std::string name;
  if (!blocks.loose.empty()) {
    const Element& element = loose_element(blocks, block);
    name = element.name;
    const Hinge* hinge = std::get_if<Hinge>(&element.law);
    if (hinge != nullptr && hinge->joint.valid()) where = builder.model.joint(hinge->joint).where;
  }
  return make_error(ErrorCode::kUnsupported, where,
                    fmt::format("gravity decides how {} swings, and `modes` does not know that; set `gravity: [0, 0, "
                                "0]` for the modes without weight, or give the joint a stiffness",
                                name.empty() ? std::string("the mechanism") : "what hangs on " + in_quotes(name)));
}

}  // namespace

Result<void> check_weight(Builder& builder) {
  Structure& structure = builder.structure;
  const Vector3d& gravity = builder.model.gravity;
  const model::Force* load = constant_load(builder.model);
  if (gravity.isZero(0) && load == nullptr) return {};
  const Blocks blocks = make_blocks(structure);
  if (blocks.count > kMostBlocks && !gravity.isZero(0)) return refuse_weight(builder, blocks, 0);
  const MatrixXd motions =
      blocks.count > 0 && blocks.count <= kMostBlocks ? loose_motions(structure, blocks) : MatrixXd();
  if (load != nullptr) {
    if (blocks.count > kMostBlocks || motions.cols() > 0) {
      return make_error(ErrorCode::kUnsupported, load->where,
                        "a constant load on a mechanism without stiffness changes how it moves, and `modes` does not "
                        "know that; remove it");
    }
    structure.notes.push_back(
        {"constant loads are part of the equilibrium; the little stiffness they add is left out", load->where});
  }
  if (gravity.isZero(0)) return {};
  if (motions.cols() > 0) {
    const int block = find_weighted(structure, blocks, motions, gravity);
    if (block >= 0) return refuse_weight(builder, blocks, block);
  }
  structure.notes.push_back({"gravity is part of the equilibrium; the little stiffness it adds is left out", {}});
  return {};
}

}  // namespace espalier::modes::detail
