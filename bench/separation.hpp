#pragma once

#include <complex>
#include <span>

#include "espalier/modes/transfer.hpp"

namespace bench {

// The literature's other way to the eigenvalues of a chain of beams, direct separation of variables: four coefficients
// of the general solution in each segment are the unknowns, clamp, joints and free end the equations, and the
// determinant of all of them is zero at an eigenvalue. Dense, O(segments^3).
espalier::modes::Scaled<std::complex<double>> separated_determinant(
    std::span<const espalier::modes::BendingSegment> segments, std::complex<double> s);

}  // namespace bench
