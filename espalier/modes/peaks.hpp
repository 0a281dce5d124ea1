#pragma once

// The peaks of a frequency response, which are those of the modes and not of the frequencies at which somebody looked.
// Undamped: it is infinite at each eigenfrequency that the force moves and the answer sees. Damped: the largest values
// near the modes and near the largest of the samples.

#include <complex>
#include <span>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/modes/response.hpp"

namespace espalier::modes {

struct Peak {
  double omega = 0;            // [rad/s]
  std::complex<double> value;  // damped: of the response there
  bool infinite = false;       // undamped
  double residue = 0;          // undamped: near it the response is residue / (peak^2 - omega^2) [1/kg] or accordingly
};

// By increasing omega. `omega` and `values`: samples of the response, from the lowest frequency to the highest one that
// is asked for. One search for modes up to there.
Result<std::vector<Peak>> find_peaks(const Structure& structure, const Tree& tree, const Place& force,
                                     const Place& answer, std::span<const double> omega,
                                     std::span<const std::complex<double>> values);

}  // namespace espalier::modes
