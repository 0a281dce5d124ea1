#pragma once

// What happens inside a short slice of a beam, from the displacements of its two ends.

#include <array>
#include <complex>

#include <Eigen/Core>

#include "espalier/modes/detail/pass_program.hpp"
#include "espalier/modes/structure.hpp"

namespace espalier::modes::detail {

using Displacement = Eigen::Matrix<std::complex<double>, 6, 1>;  // x y z rx ry rz

// The law of a beam in SI units, as one slice. Its directions: x, rx, y, rz, z, ry, where it carries them.
BeamLaw plain_law(const Beam& beam);

// Gauss' points on the slice: with 6 of them what a cut beam stores and moves is integrated to rounding, since
// lambda l stays below 0.75 there (results.hpp).
inline constexpr std::size_t kPoints = 6;
inline constexpr std::array<double, kPoints> kPlace = {0.033765242898423987, 0.16939530676686774,
                                                       0.38069040695840156,  0.61930959304159844,
                                                       0.83060469323313226,  0.96623475710157601};  // of its length
struct BeamPoint {
  double weight = 0;          // [m]
  Displacement displacement;  // in the beam's axes
  double strain = 0;          // EA |x'|^2 + GJ |rx'|^2 + ...: twice the energy a length, foundation not in it [N]
};

// Displacements of both ends in the beam's axes. The slice must be short for |s|.
std::array<BeamPoint, kPoints> sample_beam(const Beam& beam, std::complex<double> s, const Displacement& from,
                                           const Displacement& to);

}  // namespace espalier::modes::detail
