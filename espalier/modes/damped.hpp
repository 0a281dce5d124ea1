#pragma once

// Eigenvalues of a damped structure in a region of the complex plane. The logarithmic derivative of the determinant has
// a simple pole at each, with its multiplicity as residue: a rational function through samples on the region's edge
// shows where they are, Newton's method refines them, and the integral along the edge counts them. That count is
// sampled: good evidence, no proof.

#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <vector>

#include "espalier/comm/comm.hpp"
#include "espalier/modes/sweep.hpp"

namespace espalier::modes {

// left <= Re s <= right, |Im s| <= top: eigenvalues come in pairs, so a region is its own mirror image.
struct Region {
  double left = 0, right = 0, top = 0;  // [1/s]

  bool contains(std::complex<double> s) const {
    return s.real() >= left && s.real() <= right && std::abs(s.imag()) <= top;
  }
};

struct ComplexRoot {
  std::complex<double> s;
  int multiplicity = 1;
  double step = 0;  // the last one, relative; what is left is of the order of its square
};

struct ComplexRootSet {
  std::vector<ComplexRoot> roots;  // Im s >= 0, by increasing Im s, then Re s; those above the axis stand for a pair
  int found = 0;                   // in the whole region, with multiplicities
  double counted = 0;              // the integral: near an integer
  bool checked = false;            // both agree
  std::int64_t samples = 0, evaluations = 0;  // on the edge, and all
};

// What is known beforehand.
struct KnownRoots {
  int at_zero = 0;                   // multiplicity of s = 0, where structures have motions without stiffness
  std::vector<ComplexRoot> guesses;  // where to look for what the samples do not show
};

// Collective. The same on every number of ranks.
ComplexRootSet find_roots(const comm::Comm& comm, const Sweep& sweep, const Region& region,
                          const KnownRoots& known = {}, const std::function<void(int found, int expected)>& watch = {});

}  // namespace espalier::modes
