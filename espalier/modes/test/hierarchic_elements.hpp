#pragma once

// A second method of high order for tests: each beam is one finite element whose shapes are polynomials, integrals of
// Legendre's, so that errors fall faster than any power of the order. Dense, in numbers of 64 bits mantissa. It shares
// nothing with the pass but the Structure it starts from. hierarchic_elements_test.cpp holds it and its own tests.

#include <array>
#include <complex>
#include <vector>

#include <Eigen/Core>

#include "espalier/modes/structure.hpp"

namespace espalier::modes {

using Real = long double;
using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using RealRow = Eigen::Matrix<Real, 1, Eigen::Dynamic>;

// Gauss' points and weights on [-1, 1].
struct Quadrature {
  explicit Quadrature(int count);
  std::vector<Real> point, weight;
};

class HierarchicElements {
 public:
  // Polynomials up to `order` in axial motion, torsion and shear, up to order + 2 in bending.
  HierarchicElements(const Structure& structure, int order);

  // Ascending [rad/s]; free motions as 0. `slow`: any number of the order of the lowest frequencies [rad/s].
  std::vector<double> frequencies(double slow) const;
  // With dampers: the eigenvalue nearest to a guess, by inverse iteration.
  std::complex<double> eigenvalue_near(std::complex<double> guess) const;

 private:
  // Values and derivatives of shapes at a point: two of the ends, then those that vanish there.
  struct Shapes {
    std::vector<Real> value, first, second;
  };
  // In local coordinates: 0..5 and 6..11 of the ends, the inner ones from 12 on.
  struct Local {
    RealMatrix K, M, C, ground;  // ground: of the foundation, which does not damp
  };

  int inner_size(const Beam& beam) const;
  Shapes lines(Real x, Real l) const;
  Shapes curves(Real x, Real l) const;
  void add_bar(std::array<int, 2> ends, int inner, Real l, Real stiffness, Real mass, Real foundation, Real viscous,
               Local& local) const;
  void add_bending(std::array<int, 4> ends, int sign, int inner, Real l, Real EI, const Beam& beam, Local& local) const;
  void add_shearing(std::array<int, 4> ends, int sign, int inner, Real l, Real EI, Real rho_I, Real shear,
                    const Beam& beam, Local& local) const;
  void add(const Element& element, const Beam& beam, int inner);
  void add(const Element& element, const Hinge& hinge);
  void reduce();

  int order_, size_ = 0;
  Quadrature rule_;
  RealMatrix K_, M_, C_;
  std::vector<RealRow> rows_;  // conditions
  std::vector<bool> fixed_;    // by coordinate
};

}  // namespace espalier::modes
