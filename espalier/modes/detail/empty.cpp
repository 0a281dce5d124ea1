#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "espalier/base/index.hpp"
#include "espalier/modes/detail/builder.hpp"

namespace espalier::modes::detail {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;

// A vertex in coordinates of one unit, rotations times a length: what its elements and its mass see of it.
struct Seen {
  Matrix6 gram = Matrix6::Zero();  // sum of row^T row over all that is carried, each of length 1
  double stiffness = 0;            // the largest of its elements [N/m]
};

std::vector<int> carried_rows(const Beam& beam) {
  std::vector<int> rows;
  if (beam.axial) rows.push_back(0);
  if (beam.torsion) rows.push_back(3);
  if (beam.bend_y) rows.insert(rows.end(), {1, 5});
  if (beam.bend_z) rows.insert(rows.end(), {2, 4});
  return rows;
}

std::vector<int> carried_rows(const Hinge& hinge) {
  std::vector<int> rows;
  for (int k = 0; k < 6; ++k) {
    if (hinge.kind[to_index(k)] != Hinge::Kind::kReleased) rows.push_back(k);
  }
  return rows;
}

double largest_stiffness(const Beam& beam, double unit) {
  const double l = beam.length;
  return std::max({beam.EA / l, beam.GJ / (l * unit * unit), beam.EIy / (l * l * l), beam.EIz / (l * l * l)});
}

double largest_stiffness(const Hinge& hinge, double unit) {
  double largest = 0;
  for (std::size_t k = 0; k < 6; ++k) largest = std::max(largest, hinge.stiffness[k] / (k < 3 ? 1 : unit * unit));
  return largest;
}

void see(const Element& element, const Matrix6& to_local, const Vector6& scale, double unit, Seen& seen) {
  const std::vector<int> rows = std::visit([](const auto& law) { return carried_rows(law); }, element.law);
  for (const int row : rows) {
    const Vector6 scaled = scale.cwiseProduct(to_local.row(row).transpose());
    // Each row of length 1: what counts is whether a direction is seen, not how stiffly.
    seen.gram += scaled * scaled.transpose() / scaled.squaredNorm();
  }
  const double stiffness = std::visit([&](const auto& law) { return largest_stiffness(law, unit); }, element.law);
  seen.stiffness = std::max(seen.stiffness, stiffness);
}

// Eigenvectors of the part that moves, of eigenvalue 0; columns.
Eigen::MatrixXd empty_directions(const Vertex& vertex, const Matrix6& gram) {
  constexpr double kRounding = 1e-13;
  Matrix6 held = gram;
  for (int k = 0; k < 6; ++k) {
    if (vertex.moves[to_index(k)]) continue;
    held.row(k).setZero();
    held.col(k).setZero();
    // Directions that do not move are not empty.
    held(k, k) = 1;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix6> solver(held);
  int empty = 0;
  while (empty < 6 && solver.eigenvalues()[empty] <= kRounding * std::max(1.0, solver.eigenvalues()[5])) ++empty;
  return solver.eigenvectors().leftCols(empty);
}

void hold(Vertex& vertex, const Eigen::MatrixXd& empty, const Vector6& scale, double stiffness) {
  const Matrix6 projector = empty * empty.transpose();
  Matrix6 skew = projector;
  for (int k = 0; k < 6; ++k) {
    // An empty direction that is an axis is taken out of what moves: it then costs nothing.
    if (std::abs(projector(k, k) - 1) > 1e-9) continue;
    vertex.moves[to_index(k)] = false;
    skew.row(k).setZero();
    skew.col(k).setZero();
  }
  if (skew.cwiseAbs().maxCoeff() < 1e-9) return;
  const Vector6 back = scale.cwiseInverse();
  // A skew one gets a spring of the size of those around it, on which nothing acts.
  vertex.stiffness += (stiffness > 0 ? stiffness : 1) * back.asDiagonal() * skew * back.asDiagonal();
}

}  // namespace

void hold_empty_directions(Structure& structure) {
  const double unit = structure.length_unit;
  Vector6 scale = Vector6::Ones();
  scale.tail<3>() /= unit;
  std::vector<Seen> seen(structure.vertices.size());
  for (const Element& element : structure.elements) {
    for (std::size_t end = 0; end < 2; ++end) {
      see(element, element.to_local[end], scale, unit, seen[to_index(element.vertex[end])]);
    }
  }
  for (std::size_t v = 0; v < seen.size(); ++v) {
    Vertex& vertex = structure.vertices[v];
    if (!moves(vertex)) continue;
    const Matrix6 mass = scale.asDiagonal() * vertex.mass * scale.asDiagonal();
    const double largest = mass.diagonal().maxCoeff();
    // What has inertia moves by itself, whether or not an element holds it.
    if (largest > 0) seen[v].gram += mass / largest;
    const Eigen::MatrixXd empty = empty_directions(vertex, seen[v].gram);
    if (empty.cols() > 0) hold(vertex, empty, scale, seen[v].stiffness);
  }
}

}  // namespace espalier::modes::detail
