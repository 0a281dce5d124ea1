#pragma once

// Roots of a real entire function approached all at once, each from its own start.
//
// Newton's method on the logarithm of the function, from which the factors of all other roots are taken out where they
// are by then (Aberth's method): no two starts come to the same root, and none has to be near to its own.
// A start above the real axis stands for a pair z, conj z. With u = m / (D' / D - the others) the pair is a quadratic
// factor whose coefficients are real: s = x - a +- i sqrt(y^2 - 2 y Im u + 2 a Re u - a^2) with a = y Re u / (y - Im u)
// for z = x + i y. Where the square root is imaginary, the pair has met on the real axis and is two real roots from
// then on, and two of those become a pair again by the same rule.

#include <complex>
#include <functional>
#include <span>
#include <vector>

#include "espalier/modes/detail/complex_root.hpp"

namespace espalier::modes::detail {

// D' / D at points; nothing where no more are to be had.
using SlopesAt = std::function<std::vector<std::complex<double>>(std::span<const std::complex<double>>)>;

// What 0, `known` roots and their mirror images have in D' / D.
std::complex<double> known_part(std::span<const ComplexRoot> known, std::complex<double> s);

// Where the roots are looked for: what leaves it for good is let go.
struct Zone {
  double left = 0, right = 0, top = 0;  // of Re s and |Im s|
  double size() const;
};

// The roots that the starts lead to, of steps below kRefined; those of `known` are taken out beforehand. A start of a
// multiplicity is tried as one root of that multiplicity first. Above the real axis or on it.
std::vector<ComplexRoot> approach_roots(const SlopesAt& slopes, std::span<const ComplexRoot> known,
                                        std::span<const ComplexRoot> starts, const Zone& zone);

inline constexpr double kRefined = 1e-6;  // a last relative step below this is a root

}  // namespace espalier::modes::detail
