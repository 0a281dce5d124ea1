#pragma once

// A rational function through samples of an analytic one, and its poles [Nakatsukasa18]. It sees poles that the samples
// surround, so that the samples may stay far from them.

#include <complex>
#include <span>
#include <vector>

namespace espalier::modes::detail {

struct Pole {
  std::complex<double> at;
  std::complex<double> residue;
};

// Adds support points one by one where the error is largest, until it is below `tolerance` of the largest value.
// O(samples * supports^3).
std::vector<Pole> find_poles(std::span<const std::complex<double>> points, std::span<const std::complex<double>> values,
                             double tolerance);

}  // namespace espalier::modes::detail
