#include "bench/fem.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

namespace bench {
namespace {

using espalier::modes::Beam;
using espalier::modes::Element;
using espalier::modes::Hinge;
using espalier::modes::Structure;
using espalier::modes::Vertex;

constexpr int kPoints = 20;  // of Gauss' rule: exact to order 39

// P_0 to P_n at x.
std::vector<double> legendre(int n, double x) {
  std::vector<double> p = {1, x};
  for (int k = 1; k < n; ++k) {
    p.push_back(((2 * k + 1) * x * p[static_cast<std::size_t>(k)] - k * p[static_cast<std::size_t>(k - 1)]) / (k + 1));
  }
  return p;
}

struct Rule {
  std::array<double, kPoints> x{}, weight{};  // on [-1, 1]
};
Rule gauss() {
  Rule rule;
  for (int i = 0; i < kPoints; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (kPoints + 0.5)), slope = 0;
    for (int turn = 0; turn < 50; ++turn) {
      const std::vector<double> p = legendre(kPoints, x);
      slope = kPoints * (x * p[kPoints] - p[kPoints - 1]) / (x * x - 1);
      x -= p[kPoints] / slope;
    }
    rule.x[static_cast<std::size_t>(i)] = x;
    rule.weight[static_cast<std::size_t>(i)] = 2 / ((1 - x * x) * slope * slope);
  }
  return rule;
}

// Integrals of shapes and of their first or second derivatives over [-1, 1].
struct Shapes {
  Eigen::MatrixXd mass, stiffness;
};

// Linear shapes of the two ends, then integrals of P_1, P_2, ...
Shapes bar_shapes(const Rule& rule, int order) {
  const int n = order + 1;
  Shapes out{Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, n)};
  for (std::size_t q = 0; q < kPoints; ++q) {
    const double x = rule.x[q];
    const std::vector<double> p = legendre(order + 1, x);
    Eigen::VectorXd value(n), slope(n);
    value.head<2>() << (1 - x) / 2, (1 + x) / 2;
    slope.head<2>() << -0.5, 0.5;
    for (int k = 1; k < order; ++k) {
      const auto at = static_cast<std::size_t>(k);
      value[k + 1] = (p[at + 1] - p[at - 1]) / (2 * k + 1);
      slope[k + 1] = p[at];
    }
    out.mass += rule.weight[q] * value * value.transpose();
    out.stiffness += rule.weight[q] * slope * slope.transpose();
  }
  return out;
}

// Hermite's shapes for (y, dy/dx) of the two ends, then double integrals of P_2, P_3, ...
Shapes beam_shapes(const Rule& rule, int order) {
  const int n = order + 1;
  Shapes out{Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, n)};
  for (std::size_t q = 0; q < kPoints; ++q) {
    const double x = rule.x[q];
    const std::vector<double> p = legendre(order + 2, x);
    Eigen::VectorXd value(n), bend(n);
    value.head<4>() << (2 - 3 * x + x * x * x) / 4, (1 - x - x * x + x * x * x) / 4, (2 + 3 * x - x * x * x) / 4,
        (-1 - x + x * x + x * x * x) / 4;
    bend.head<4>() << 1.5 * x, (3 * x - 1) / 2, -1.5 * x, (3 * x + 1) / 2;
    for (int k = 2; k <= order - 2; ++k) {
      const auto at = static_cast<std::size_t>(k);
      value[k + 2] = ((p[at + 2] - p[at]) / (2 * k + 3) - (p[at] - p[at - 2]) / (2 * k - 1)) / (2 * k + 1);
      bend[k + 2] = p[at];
    }
    out.mass += rule.weight[q] * value * value.transpose();
    out.stiffness += rule.weight[q] * bend * bend.transpose();
  }
  return out;
}

struct Assembly {
  const Structure& structure;
  int order;
  Shapes bar, beam;
  std::vector<int> coordinate;  // of vertices, six each; -1 where they do not move
  int size = 0;
  std::vector<Eigen::Triplet<double>> M, C, K;

  Assembly(const Structure& s, int p) : structure(s), order(p) {
    const Rule rule = gauss();
    bar = bar_shapes(rule, p);
    beam = beam_shapes(rule, p);
    for (const Vertex& vertex : s.vertices) {
      for (const bool moves : vertex.moves) coordinate.push_back(moves ? size++ : -1);
    }
  }

  // A number of the local shapes: weights on the coordinates of a vertex, or one of the inside.
  struct Shape {
    std::vector<std::pair<int, double>> on;
  };
  Shape end(const Element& element, int side, int direction, double factor) const {
    Shape shape;
    for (int k = 0; k < 6; ++k) {
      const int c = coordinate[static_cast<std::size_t>(6 * element.vertex[static_cast<std::size_t>(side)] + k)];
      const double x = factor * element.to_local[static_cast<std::size_t>(side)](direction, k);
      if (c >= 0 && x != 0) shape.on.push_back({c, x});
    }
    return shape;
  }
  void add_inside(std::vector<Shape>& shapes) {
    while (static_cast<int>(shapes.size()) <= order) shapes.push_back({{{size++, 1.0}}});
  }

  static void add(const std::vector<Shape>& shapes, const Eigen::MatrixXd& matrix, double factor,
                  std::vector<Eigen::Triplet<double>>& into) {
    if (factor == 0) return;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      for (std::size_t j = 0; j < shapes.size(); ++j) {
        const double x = factor * matrix(static_cast<int>(i), static_cast<int>(j));
        if (std::abs(x) < 1e-15 * std::abs(factor)) continue;  // orthogonal shapes
        for (const auto& [r, a] : shapes[i].on) {
          for (const auto& [c, b] : shapes[j].on) into.emplace_back(r, c, a * x * b);
        }
      }
    }
  }

  void add_bar(const Element& element, int direction, double stiffness, double mass, double viscous, double ground,
               double l) {
    std::vector<Shape> shapes = {end(element, 0, direction, 1), end(element, 1, direction, 1)};
    add_inside(shapes);
    add(shapes, bar.stiffness, stiffness * 2 / l, K);
    add(shapes, bar.mass, ground * l / 2, K);
    add(shapes, bar.mass, mass * l / 2, M);
    add(shapes, bar.mass, viscous * l / 2, C);
  }

  void add_bending(const Element& element, int across, int about, double sign, double EI, const Beam& law) {
    const double l = law.length, turn = sign * l / 2;
    std::vector<Shape> shapes = {end(element, 0, across, 1), end(element, 0, about, turn), end(element, 1, across, 1),
                                 end(element, 1, about, turn)};
    add_inside(shapes);
    add(shapes, beam.stiffness, EI * 8 / (l * l * l), K);
    add(shapes, beam.mass, law.foundation * l / 2, K);
    add(shapes, beam.mass, law.rho_A * l / 2, M);
    add(shapes, beam.mass, law.viscous * l / 2, C);
  }

  void add_element(const Element& element, const Beam& law) {
    if (law.shear_y != 0 || law.shear_z != 0 || law.rho_Iy != 0 || law.rho_Iz != 0 || law.kelvin_voigt != 0) fail();
    if (law.axial) add_bar(element, 0, law.EA, law.rho_A, law.viscous, law.foundation, law.length);
    if (law.torsion) add_bar(element, 3, law.GJ, law.rho_Ip, 0, 0, law.length);
    if (law.bend_y) add_bending(element, 1, 5, 1, law.EIz, law);
    if (law.bend_z) add_bending(element, 2, 4, -1, law.EIy, law);
  }

  void add_element(const Element& element, const Hinge& law) {
    for (int k = 0; k < 6; ++k) {
      const auto d = static_cast<std::size_t>(k);
      if (law.kind[d] == Hinge::Kind::kRigid) fail();
      if (law.kind[d] != Hinge::Kind::kElastic) continue;
      Shape stretch = end(element, 1, k, 1);
      for (const auto& [c, x] : end(element, 0, k, -1).on) stretch.on.push_back({c, x});
      add({stretch}, Eigen::MatrixXd::Ones(1, 1), law.stiffness[d], K);
      add({stretch}, Eigen::MatrixXd::Ones(1, 1), law.damping[d], C);
    }
  }

  void add_vertex(std::size_t v) {
    const Vertex& vertex = structure.vertices[v];
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        const int r = coordinate[6 * v + i], c = coordinate[6 * v + j];
        if (r < 0 || c < 0) continue;
        const auto at = [&](const espalier::modes::Matrix6& m) { return m(static_cast<int>(i), static_cast<int>(j)); };
        if (at(vertex.mass) != 0) M.emplace_back(r, c, at(vertex.mass));
        if (at(vertex.damping) != 0) C.emplace_back(r, c, at(vertex.damping));
        if (at(vertex.stiffness) != 0) K.emplace_back(r, c, at(vertex.stiffness));
      }
    }
  }

  [[noreturn]] static void fail() {
    std::fprintf(stderr, "bench: these finite elements do not have what the structure has\n");
    std::exit(1);
  }
};

Eigen::SparseMatrix<double> sparse(int size, const std::vector<Eigen::Triplet<double>>& entries) {
  Eigen::SparseMatrix<double> out(size, size);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

}  // namespace

Pencil assemble(const Structure& structure, int order) {
  Assembly all(structure, order);
  for (std::size_t v = 0; v < structure.vertices.size(); ++v) all.add_vertex(v);
  for (const Element& element : structure.elements) {
    std::visit([&](const auto& law) { all.add_element(element, law); }, element.law);
  }
  return {sparse(all.size, all.M), sparse(all.size, all.C), sparse(all.size, all.K)};
}

}  // namespace bench
