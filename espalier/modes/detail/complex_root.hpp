#pragma once

#include <cmath>
#include <complex>

namespace espalier::modes::detail {

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

}  // namespace espalier::modes::detail
