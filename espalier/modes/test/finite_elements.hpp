#pragma once

// A second method for tests: the structure as finite elements, dense. Beams are Euler-Bernoulli or Timoshenko with
// cubic shapes, cut into equal parts; joints that hold a direction are eliminated. Errors fall with 1 / parts^4 in
// bending and 1 / parts^2 in axial motion and torsion.

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include <Eigen/Dense>

#include "espalier/base/index.hpp"
#include "espalier/modes/structure.hpp"

namespace espalier::modes {

class FiniteElements {
 public:
  FiniteElements(const Structure& structure, int parts) : structure_(structure), parts_(parts) {
    nodes_ = static_cast<int>(structure.vertices.size());
    for (const Element& element : structure.elements)
      nodes_ += std::holds_alternative<Beam>(element.law) ? parts - 1 : 0;
    K_ = M_ = C_ = Eigen::MatrixXd::Zero(6 * nodes_, 6 * nodes_);
    fixed_.assign(to_index(6 * nodes_), false);
    next_ = static_cast<int>(structure.vertices.size());
    for (std::size_t v = 0; v < structure.vertices.size(); ++v) {
      const auto at = 6 * static_cast<int>(v);
      K_.block<6, 6>(at, at) += structure.vertices[v].stiffness;
      M_.block<6, 6>(at, at) += structure.vertices[v].mass;
      C_.block<6, 6>(at, at) += structure.vertices[v].damping;
      for (int k = 0; k < 6; ++k) {
        if (!structure.vertices[v].moves[to_index(k)]) fix(at + k);
      }
    }
    for (const Element& element : structure.elements) {
      if (const Beam* beam = std::get_if<Beam>(&element.law)) {
        add(element, *beam);
      } else {
        add(element, std::get<Hinge>(element.law));
      }
    }
  }

  // Ascending [rad/s]; the structure must stand: no rigid-body motion.
  std::vector<double> frequencies() const {
    const std::vector<int> free = free_coordinates();
    Eigen::MatrixXd k = K_(free, free), m = M_(free, free);
    std::vector<Eigen::RowVectorXd> rows;
    for (const Eigen::RowVectorXd& row : rows_) {
      if (row(free).cwiseAbs().maxCoeff() > 0) rows.push_back(row(free));
    }
    if (!rows.empty()) {
      Eigen::MatrixXd C(static_cast<int>(rows.size()), static_cast<int>(free.size()));
      for (std::size_t r = 0; r < rows.size(); ++r) C.row(static_cast<int>(r)) = rows[r];
      const Eigen::MatrixXd Z = Eigen::FullPivLU<Eigen::MatrixXd>(C).kernel();
      k = (Z.transpose() * k * Z).eval();
      m = (Z.transpose() * m * Z).eval();
    }
    // Massless coordinates have stiffness, so that the pencil is taken upside down.
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(m, k, Eigen::EigenvaluesOnly);
    std::vector<double> omega;
    const Eigen::VectorXd& inverse = solver.eigenvalues();
    for (int i = static_cast<int>(inverse.size()) - 1; i >= 0; --i) {
      if (inverse[i] > 1e-13 * inverse[inverse.size() - 1]) omega.push_back(1 / std::sqrt(inverse[i]));
    }
    return omega;
  }

  // With dampers: the eigenvalue nearest to a guess, by inverse iteration. No joint may hold a direction.
  std::complex<double> eigenvalue_near(std::complex<double> s) const {
    const std::vector<int> free = free_coordinates();
    const Eigen::MatrixXcd K = K_(free, free), M = M_(free, free), C = C_(free, free);
    Eigen::VectorXcd v = Eigen::VectorXcd::LinSpaced(K.rows(), {0.3, 0.1}, {1, -0.2});
    for (int round = 0; round < 8; ++round) {
      const Eigen::MatrixXcd slope = 2.0 * s * M + C;
      v = Eigen::MatrixXcd(s * s * M + s * C + K).lu().solve(slope * v).normalized();
      const Eigen::VectorXcd Qv = s * s * (M * v) + s * (C * v) + K * v;
      const std::complex<double> step = v.cwiseProduct(Qv).sum() / v.cwiseProduct(slope * v).sum();
      s -= step;
      if (std::abs(step) < 1e-13 * std::abs(s)) break;
    }
    return s;
  }

 private:
  std::vector<int> free_coordinates() const {
    std::vector<int> free;
    for (int c = 0; c < 6 * nodes_; ++c) {
      if (!fixed_[to_index(c)]) free.push_back(c);
    }
    return free;
  }

  void fix(int coordinate) { fixed_[to_index(coordinate)] = true; }

  void add(const Element& element, const Hinge& hinge) {
    for (int k = 0; k < 6; ++k) {
      const auto d = to_index(k);
      Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(6 * nodes_);
      row.segment<6>(6 * element.vertex[1]) += element.to_local[1].row(k);
      row.segment<6>(6 * element.vertex[0]) -= element.to_local[0].row(k);
      if (hinge.kind[d] == Hinge::Kind::kRigid) rows_.push_back(row);
      if (hinge.kind[d] != Hinge::Kind::kElastic) continue;
      K_ += hinge.stiffness[d] * row.transpose() * row;
      C_ += hinge.damping[d] * row.transpose() * row;
    }
  }

  // Inner nodes have the local axes as coordinates.
  void add(const Element& element, const Beam& beam) {
    const int first = next_;
    next_ += parts_ - 1;
    for (int n = first; n < next_; ++n) {
      const std::array<bool, 6> carried = {beam.axial,   beam.bend_y, beam.bend_z,
                                           beam.torsion, beam.bend_z, beam.bend_y};
      for (int k = 0; k < 6; ++k) {
        if (!carried[to_index(k)]) fix(6 * n + k);
      }
    }
    using Matrix12 = Eigen::Matrix<double, 12, 12>;
    Matrix12 k = Matrix12::Zero(), m = Matrix12::Zero(), c = Matrix12::Zero(), unused = Matrix12::Zero();
    part(beam, k, m);
    Beam air = beam;  // resists as mass does: along its displacements
    air.rho_A = beam.viscous;
    air.rho_Ip = air.rho_Iy = air.rho_Iz = 0;
    part(air, unused, c);
    c += beam.kelvin_voigt * k;
    for (int p = 0; p < parts_; ++p) {
      Matrix12 T = Matrix12::Identity();
      const int a = p == 0 ? element.vertex[0] : first + p - 1;
      const int b = p == parts_ - 1 ? element.vertex[1] : first + p;
      if (p == 0) T.topLeftCorner<6, 6>() = element.to_local[0];
      if (p == parts_ - 1) T.bottomRightCorner<6, 6>() = element.to_local[1];
      const std::array<Matrix12, 3> part = {T.transpose() * k * T, T.transpose() * m * T, T.transpose() * c * T};
      const std::array<int, 2> node = {a, b};
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
          const int row = 6 * node[to_index(i)], column = 6 * node[to_index(j)];
          K_.block<6, 6>(row, column) += part[0].block<6, 6>(6 * i, 6 * j);
          M_.block<6, 6>(row, column) += part[1].block<6, 6>(6 * i, 6 * j);
          C_.block<6, 6>(row, column) += part[2].block<6, 6>(6 * i, 6 * j);
        }
      }
    }
  }

  template <class Matrix>
  void part(const Beam& beam, Matrix& k, Matrix& m) const {
    const double l = beam.length / parts_;
    if (beam.axial) bar(0, beam.EA / l, beam.rho_A * l, k, m);
    if (beam.torsion) bar(3, beam.GJ / l, beam.rho_Ip * l, k, m);
    if (beam.bend_y) bend({1, 5, 7, 11}, 1, beam.EIz, beam.rho_A, beam.rho_Iz, beam.shear_y, beam.foundation, l, k, m);
    if (beam.bend_z) bend({2, 4, 8, 10}, -1, beam.EIy, beam.rho_A, beam.rho_Iy, beam.shear_z, beam.foundation, l, k, m);
  }

  template <class Matrix>
  static void bar(int at, double stiffness, double mass, Matrix& k, Matrix& m) {
    for (const int i : {at, at + 6}) {
      for (const int j : {at, at + 6}) {
        k(i, j) += i == j ? stiffness : -stiffness;
        m(i, j) += mass / (i == j ? 3 : 6);
      }
    }
  }

  // Cubic displacement; with shear the rotation is that of the section (Przemieniecki's matrices by quadrature).
  template <class Matrix>
  static void bend(const std::array<int, 4>& at, double sign, double EI, double rho_A, double rho_I, double g,
                   double foundation, double l, Matrix& k, Matrix& m) {
    const double phi = 12 * EI * g / (l * l);
    const Eigen::Vector4d signs(1, sign, 1, sign);
    Eigen::Matrix4d stiffness;
    stiffness << 12, 6 * l, -12, 6 * l,                       //
        6 * l, (4 + phi) * l * l, -6 * l, (2 - phi) * l * l,  //
        -12, -6 * l, 12, -6 * l,                              //
        6 * l, (2 - phi) * l * l, -6 * l, (4 + phi) * l * l;
    stiffness *= EI / ((1 + phi) * l * l * l);
    Eigen::Matrix4d mass = Eigen::Matrix4d::Zero(), ground = Eigen::Matrix4d::Zero();
    constexpr std::array kPoint = {0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842, 0.953089922969332};
    constexpr std::array kWeight = {0.118463442528095, 0.239314335249683, 0.284444444444444, 0.239314335249683,
                                    0.118463442528095};
    for (std::size_t q = 0; q < 5; ++q) {
      const double x = kPoint[q], x2 = x * x, x3 = x2 * x;
      const Eigen::Vector4d w =
          Eigen::Vector4d(1 - 3 * x2 + 2 * x3 + phi * (1 - x), l * (x - 2 * x2 + x3 + phi * (x - x2) / 2),
                          3 * x2 - 2 * x3 + phi * x, l * (-x2 + x3 - phi * (x - x2) / 2)) /
          (1 + phi);
      const Eigen::Vector4d t = Eigen::Vector4d(6 * (x2 - x) / l, 1 - 4 * x + 3 * x2 + phi * (1 - x), 6 * (x - x2) / l,
                                                3 * x2 - 2 * x + phi * x) /
                                (1 + phi);
      mass += kWeight[q] * l * (rho_A * w * w.transpose() + rho_I * t * t.transpose());
      ground += kWeight[q] * l * foundation * w * w.transpose();
    }
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        const int r = at[to_index(i)], c = at[to_index(j)];
        k(r, c) += signs[i] * signs[j] * (stiffness(i, j) + ground(i, j));
        m(r, c) += signs[i] * signs[j] * mass(i, j);
      }
    }
  }

  const Structure& structure_;
  int parts_, nodes_ = 0, next_ = 0;
  Eigen::MatrixXd K_, M_, C_;
  std::vector<Eigen::RowVectorXd> rows_;  // conditions
  std::vector<bool> fixed_;               // by coordinate
};

}  // namespace espalier::modes
