#pragma once

// Roots of a determinant that counts have isolated: what their places and the values between them say about each other.
//
// Without damping the determinant is an entire function of x = omega^2 whose zeros are all real, D = c prod (1 - x /
// x_j), and its logarithmic derivative is sum 1 / (x - x_j). Once all factors but one are known, what is left is linear
// in x, or that to the power of the multiplicity; the zeros beyond the last interval change little over one of them.

#include <cstddef>
#include <vector>

namespace espalier::modes::detail {

// One zero of so high a multiplicity lies in the interval.
struct IsolatedRoot {
  double low = 0, high = 0;  // of x
  double log_ratio = 0;      // ln |D(high) / D(low)|
  int multiplicity = 1;
  double at = 0;  // where it is thought to be
};

struct IsolatedRoots {
  std::vector<IsolatedRoot> roots;  // by increasing x
  int at_zero = 0;                  // multiplicity of x = 0
};

// Sets `at` of each by the values at the ends of all intervals. O(roots^2), no evaluation.
void guess_roots(IsolatedRoots& known);

// What 0 and all but root k have in the derivative of ln |D| by x.
double others_part(const IsolatedRoots& known, std::size_t k, double x);

}  // namespace espalier::modes::detail
