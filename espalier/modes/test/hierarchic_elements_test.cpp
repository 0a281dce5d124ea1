// Eigenvalues of a few hundred unknowns in long double: without optimisation a minute each.
#pragma GCC optimize("O2")

#include "espalier/modes/test/hierarchic_elements.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

// Legendre's polynomials P_0 .. P_order and their derivatives at x.
struct Legendre {
  Legendre(Real x, int order) : value(to_index(order) + 1, 1), slope(value.size(), 0) {
    if (order > 0) value[1] = x, slope[1] = 1;
    for (std::size_t k = 2; k < value.size(); ++k) {
      const auto n = static_cast<Real>(k);
      value[k] = ((2 * n - 1) * x * value[k - 1] - (n - 1) * value[k - 2]) / n;
      slope[k] = slope[k - 2] + (2 * n - 1) * value[k - 1];
    }
  }
  std::vector<Real> value, slope;
};

void add_product(const std::vector<Real>& a, Real factor, const std::vector<int>& at, RealMatrix& into) {
  if (factor == 0) return;
  for (std::size_t r = 0; r < at.size(); ++r) {
    for (std::size_t c = 0; c < at.size(); ++c) into(at[r], at[c]) += factor * a[r] * a[c];
  }
}

void scatter(const RealMatrix& part, const std::vector<int>& at, RealMatrix& whole) {
  for (std::size_t r = 0; r < at.size(); ++r) {
    for (std::size_t c = 0; c < at.size(); ++c) {
      whole(at[r], at[c]) += part(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c));
    }
  }
}

}  // namespace

Quadrature::Quadrature(int count) {
  for (int k = 1; k <= count; ++k) {
    Real x = std::cos(std::numbers::pi_v<Real> * (k - 0.25L) / (count + 0.5L));
    for (int round = 0; round < 8; ++round) {
      const Legendre p(x, count);
      x -= p.value.back() / p.slope.back();
    }
    const Real slope = Legendre(x, count).slope.back();
    point.push_back(x);
    weight.push_back(2 / ((1 - x * x) * slope * slope));
  }
}

HierarchicElements::HierarchicElements(const Structure& structure, int order) : order_(order), rule_(order + 6) {
  size_ = 6 * static_cast<int>(structure.vertices.size());
  int inner = size_;
  for (const Element& element : structure.elements) {
    if (const Beam* beam = std::get_if<Beam>(&element.law)) size_ += inner_size(*beam);
  }
  K_ = M_ = C_ = RealMatrix::Zero(size_, size_);
  fixed_.assign(to_index(size_), false);
  for (std::size_t v = 0; v < structure.vertices.size(); ++v) {
    const Vertex& vertex = structure.vertices[v];
    const int at = 6 * static_cast<int>(v);
    K_.block<6, 6>(at, at) += vertex.stiffness.cast<Real>();
    M_.block<6, 6>(at, at) += vertex.mass.cast<Real>();
    C_.block<6, 6>(at, at) += vertex.damping.cast<Real>();
    for (int k = 0; k < 6; ++k) fixed_[to_index(at + k)] = !vertex.moves[to_index(k)];
  }
  for (const Element& element : structure.elements) {
    if (const Beam* beam = std::get_if<Beam>(&element.law)) {
      add(element, *beam, inner);
      inner += inner_size(*beam);
    } else {
      add(element, std::get<Hinge>(element.law));
    }
  }
  reduce();
}

std::vector<double> HierarchicElements::frequencies(double slow) const {
  const Real shift = static_cast<Real>(slow) * slow;
  // Massless coordinates have stiffness, so that the pencil is taken upside down.
  const Eigen::GeneralizedSelfAdjointEigenSolver<RealMatrix> solver(M_, K_ + shift * M_, Eigen::EigenvaluesOnly);
  std::vector<double> omega;
  for (Eigen::Index i = M_.rows() - 1; i >= 0; --i) {
    const Real inverse = solver.eigenvalues()[i];
    if (!(inverse > 1e-14L * solver.eigenvalues()[M_.rows() - 1])) break;
    const Real square = 1 / inverse - shift;
    omega.push_back(square > 1e-12L * shift ? static_cast<double>(std::sqrt(square)) : 0.0);
  }
  return omega;
}

std::complex<double> HierarchicElements::eigenvalue_near(std::complex<double> guess) const {
  using C = std::complex<Real>;
  using Matrix = Eigen::Matrix<C, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<C, Eigen::Dynamic, 1>;
  const Matrix K = K_.cast<C>(), M = M_.cast<C>(), D = C_.cast<C>();
  C s(guess.real(), guess.imag());
  Vector v = Vector::LinSpaced(K.rows(), C(0.3L, 0.1L), C(1, -0.2L));
  for (int round = 0; round < 7; ++round) {
    const Matrix slope = Real(2) * s * M + D;
    v = Matrix(s * s * M + s * D + K).partialPivLu().solve(slope * v).normalized();
    const Vector residual = s * s * (M * v) + s * (D * v) + K * v;
    const C step = v.cwiseProduct(residual).sum() / v.cwiseProduct(slope * v).sum();
    s -= step;
    if (std::abs(step) < 1e-16L * std::abs(s)) break;
  }
  return {static_cast<double>(s.real()), static_cast<double>(s.imag())};
}

int HierarchicElements::inner_size(const Beam& beam) const {
  const int bars = (beam.axial ? 1 : 0) + (beam.torsion ? 1 : 0);
  const auto bending = [&](double shear) { return shear > 0 ? 2 * (order_ - 1) : order_ - 1; };
  return bars * (order_ - 1) + (beam.bend_y ? bending(beam.shear_y) : 0) + (beam.bend_z ? bending(beam.shear_z) : 0);
}

// Continuous: straight lines, and integrals of P_1 .. P_(order-1). x runs from -1 to 1 over the length l.
HierarchicElements::Shapes HierarchicElements::lines(Real x, Real l) const {
  const Legendre p(x, order_ + 1);
  Shapes out{{(1 - x) / 2, (1 + x) / 2}, {-1 / l, 1 / l}, {}};
  for (std::size_t k = 1; k < to_index(order_); ++k) {
    out.value.push_back((p.value[k + 1] - p.value[k - 1]) / static_cast<Real>(2 * k + 1));
    out.first.push_back(p.value[k] * 2 / l);
  }
  return out;
}

// Continuous with their slope: Hermite's cubics of y0, y0', y1, y1', and twofold integrals of P_2 .. P_order.
HierarchicElements::Shapes HierarchicElements::curves(Real x, Real l) const {
  const Legendre p(x, order_ + 3);
  const Real t = (1 + x) / 2;
  Shapes out{{1 - 3 * t * t + 2 * t * t * t, l * (t - 2 * t * t + t * t * t), 3 * t * t - 2 * t * t * t,
              l * (t * t * t - t * t)},
             {},
             {(12 * t - 6) / (l * l), (6 * t - 4) / l, (6 - 12 * t) / (l * l), (6 * t - 2) / l}};
  for (std::size_t k = 2; k <= to_index(order_); ++k) {
    const auto n = static_cast<Real>(k);
    const Real upper = (p.value[k + 2] - p.value[k]) / (2 * n + 3), lower = (p.value[k] - p.value[k - 2]) / (2 * n - 1);
    out.value.push_back((upper - lower) / (2 * n + 1));
    out.second.push_back(p.value[k] * 4 / (l * l));
  }
  return out;
}

void HierarchicElements::add_bar(std::array<int, 2> ends, int inner, Real l, Real stiffness, Real mass, Real foundation,
                                 Real viscous, Local& local) const {
  std::vector<int> at = {ends[0], ends[1]};
  for (int k = 0; k < order_ - 1; ++k) at.push_back(inner + k);
  for (std::size_t q = 0; q < rule_.point.size(); ++q) {
    const Shapes shapes = lines(rule_.point[q], l);
    const Real w = rule_.weight[q] * l / 2;
    add_product(shapes.first, w * stiffness, at, local.K);
    add_product(shapes.value, w * foundation, at, local.ground);
    add_product(shapes.value, w * mass, at, local.M);
    add_product(shapes.value, w * viscous, at, local.C);
  }
}

// `sign`: of the rotation about the third axis as the slope of the displacement.
void HierarchicElements::add_bending(std::array<int, 4> ends, int sign, int inner, Real l, Real EI, const Beam& beam,
                                     Local& local) const {
  std::vector<int> at(ends.begin(), ends.end());
  for (int k = 0; k < order_ - 1; ++k) at.push_back(inner + k);
  for (std::size_t q = 0; q < rule_.point.size(); ++q) {
    Shapes shapes = curves(rule_.point[q], l);
    for (const std::size_t turned : {1u, 3u}) {
      shapes.value[turned] *= sign;
      shapes.second[turned] *= sign;
    }
    const Real w = rule_.weight[q] * l / 2;
    add_product(shapes.second, w * EI, at, local.K);
    add_product(shapes.value, w * beam.foundation, at, local.ground);
    add_product(shapes.value, w * beam.rho_A, at, local.M);
    add_product(shapes.value, w * beam.viscous, at, local.C);
  }
}

// Timoshenko's: displacement and rotation have shapes of their own.
void HierarchicElements::add_shearing(std::array<int, 4> ends, int sign, int inner, Real l, Real EI, Real rho_I,
                                      Real shear, const Beam& beam, Local& local) const {
  std::vector<int> moved = {ends[0], ends[2]}, turned = {ends[1], ends[3]}, both;
  for (int k = 0; k < order_ - 1; ++k) {
    moved.push_back(inner + k);
    turned.push_back(inner + order_ - 1 + k);
  }
  both = moved;
  both.insert(both.end(), turned.begin(), turned.end());
  for (std::size_t q = 0; q < rule_.point.size(); ++q) {
    const Shapes shapes = lines(rule_.point[q], l);
    const Real w = rule_.weight[q] * l / 2;
    std::vector<Real> strain = shapes.first;
    for (const Real value : shapes.value) strain.push_back(-sign * value);
    add_product(shapes.first, w * EI, turned, local.K);
    add_product(strain, w / shear, both, local.K);
    add_product(shapes.value, w * beam.foundation, moved, local.ground);
    add_product(shapes.value, w * beam.rho_A, moved, local.M);
    add_product(shapes.value, w * rho_I, turned, local.M);
    add_product(shapes.value, w * beam.viscous, moved, local.C);
  }
}

void HierarchicElements::add(const Element& element, const Beam& beam, int inner) {
  const int inside = inner_size(beam), size = 12 + inside;
  const RealMatrix zero = RealMatrix::Zero(size, size);
  Local local{zero, zero, zero, zero};
  const Real l = beam.length;
  int next = 12;
  const auto take = [&](int count) { return std::exchange(next, next + count); };
  if (beam.axial) {
    add_bar({0, 6}, take(order_ - 1), l, beam.EA, beam.rho_A, beam.foundation, beam.viscous, local);
  }
  if (beam.torsion) add_bar({3, 9}, take(order_ - 1), l, beam.GJ, beam.rho_Ip, 0, 0, local);
  const auto bend = [&](std::array<int, 4> ends, int sign, double EI, double rho_I, double shear) {
    if (shear > 0) {
      add_shearing(ends, sign, take(2 * (order_ - 1)), l, EI, rho_I, shear, beam, local);
    } else {
      add_bending(ends, sign, take(order_ - 1), l, EI, beam, local);
    }
  };
  if (beam.bend_y) bend({1, 5, 7, 11}, 1, beam.EIz, beam.rho_Iz, beam.shear_y);
  if (beam.bend_z) bend({2, 4, 8, 10}, -1, beam.EIy, beam.rho_Iy, beam.shear_z);
  local.C += static_cast<Real>(beam.kelvin_voigt) * local.K;
  local.K += local.ground;
  // The ends' coordinates become those of the vertices.
  RealMatrix T = RealMatrix::Identity(size, size);
  std::vector<int> at;
  for (int end = 0; end < 2; ++end) {
    const auto e = to_index(end);
    T.block<6, 6>(6 * end, 6 * end) = element.to_local[e].cast<Real>();
    for (int k = 0; k < 6; ++k) at.push_back(6 * element.vertex[e] + k);
  }
  for (int k = 0; k < inside; ++k) at.push_back(inner + k);
  scatter(T.transpose() * local.K * T, at, K_);
  scatter(T.transpose() * local.M * T, at, M_);
  scatter(T.transpose() * local.C * T, at, C_);
}

void HierarchicElements::add(const Element& element, const Hinge& hinge) {
  for (int k = 0; k < 6; ++k) {
    const auto d = to_index(k);
    RealRow row = RealRow::Zero(size_);
    row.segment<6>(6 * element.vertex[1]) += element.to_local[1].row(k).cast<Real>();
    row.segment<6>(6 * element.vertex[0]) -= element.to_local[0].row(k).cast<Real>();
    if (hinge.kind[d] == Hinge::Kind::kRigid) rows_.push_back(row);
    if (hinge.kind[d] != Hinge::Kind::kElastic) continue;
    K_ += static_cast<Real>(hinge.stiffness[d]) * row.transpose() * row;
    C_ += static_cast<Real>(hinge.damping[d]) * row.transpose() * row;
  }
}

// Takes out what does not move, and what rigid hinges hold.
void HierarchicElements::reduce() {
  std::vector<int> free;
  for (int c = 0; c < size_; ++c) {
    if (!fixed_[to_index(c)]) free.push_back(c);
  }
  std::vector<RealRow> held;
  for (const RealRow& row : rows_) {
    if (row(free).cwiseAbs().maxCoeff() > 0) held.push_back(row(free));
  }
  RealMatrix Z = RealMatrix::Identity(static_cast<int>(free.size()), static_cast<int>(free.size()));
  if (!held.empty()) {
    RealMatrix conditions(static_cast<int>(held.size()), static_cast<int>(free.size()));
    for (std::size_t r = 0; r < held.size(); ++r) conditions.row(static_cast<int>(r)) = held[r];
    Eigen::FullPivLU<RealMatrix> lu;
    lu.setThreshold(1e-13L);
    Z = lu.compute(conditions).kernel();
  }
  for (RealMatrix* matrix : {&K_, &M_, &C_}) {
    const RealMatrix inside = (*matrix)(free, free);
    *matrix = Z.transpose() * inside * Z;
  }
}

namespace {

// cos z cosh z = -1: a cantilever of one element that bends.
TEST(HierarchicElements, ConvergeToTheCantilever) {
  Structure beam;
  beam.vertices = {vertex_at(Eigen::Vector3d::Zero(), kSupport), vertex_at(Eigen::Vector3d::UnitX(), kBending)};
  add_beam(beam, 0, 1, {6e-4, 4.5e-8, 2e-8, 7.8e-8, 2.1e11, 8.1e10, 7850}, Eigen::Vector3d::UnitY());
  Beam& law = std::get<Beam>(beam.elements[0].law);
  law.axial = law.torsion = law.bend_z = false;
  const double unit = std::sqrt(law.EIz / law.rho_A);
  const std::vector<double> found = HierarchicElements(beam, 16).frequencies(10);
  EXPECT_NEAR(found.at(0) / (std::pow(1.8751040687119611664, 2) * unit), 1, 1e-15);
  EXPECT_NEAR(found.at(1) / (std::pow(4.6940911329741745764, 2) * unit), 1, 1e-14);
  EXPECT_NEAR(found.at(2) / (std::pow(7.8547574382376125648, 2) * unit), 1, 1e-12);
}

TEST(HierarchicElements, FindTheEigenvalueOfADampedMass) {
  Structure mass = spring_chain({50}, {2});
  std::get<Hinge>(mass.elements[0].law).damping[0] = 4;
  const std::complex<double> s = HierarchicElements(mass, 2).eigenvalue_near({-0.9, 5.1});
  EXPECT_LT(std::abs(s - std::complex(-1.0, std::sqrt(24.0))), 1e-14);
}

}  // namespace
}  // namespace espalier::modes
