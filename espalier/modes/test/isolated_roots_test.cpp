#include "espalier/modes/detail/isolated_roots.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace espalier::modes::detail {
namespace {

struct Zero {
  double at;
  int multiplicity;
};

// prod (1 - x / x_j), and for a zero at 0 the factor x.
double log_value(const std::vector<Zero>& zeros, double x) {
  double sum = 0;
  for (const Zero& zero : zeros) {
    sum += zero.multiplicity * std::log(std::abs(zero.at == 0 ? x : 1 - x / zero.at));
  }
  return sum;
}
double slope(const std::vector<Zero>& zeros, double x) {
  double sum = 0;
  for (const Zero& zero : zeros) sum += zero.multiplicity / (x - zero.at);
  return sum;
}

// Between `ends`; zeros[first] is in the first interval.
IsolatedRoots isolate(const std::vector<Zero>& zeros, std::size_t first, const std::vector<double>& ends) {
  IsolatedRoots out;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    out.roots.push_back({ends[k], ends[k + 1], log_value(zeros, ends[k + 1]) - log_value(zeros, ends[k]),
                         zeros[first + k].multiplicity, 0});
  }
  for (std::size_t k = 0; k < first; ++k) out.at_zero += zeros[k].multiplicity;
  return out;
}

// A polynomial has nothing beyond: the values at the ends of the intervals are enough.
TEST(GuessRoots, AreThoseOfAPolynomial) {
  const std::vector<Zero> zeros = {{0, 2}, {1, 1}, {3.7, 1}, {4.1, 3}, {6, 1}};
  IsolatedRoots known = isolate(zeros, 1, {0.5, 2, 4, 5, 8});
  guess_roots(known);
  for (std::size_t k = 0; k < known.roots.size(); ++k) {
    EXPECT_NEAR(known.roots[k].at, zeros[k + 1].at, 0.02 * zeros[k + 1].at);
  }
}

TEST(OthersPart, IsTheDerivativeWithoutOne) {
  const std::vector<Zero> zeros = {{0, 3}, {1, 1}, {2, 2}};
  IsolatedRoots known = isolate(zeros, 1, {0.5, 1.5, 3});
  known.roots[0].at = 1;
  known.roots[1].at = 2;
  EXPECT_NEAR(others_part(known, 0, 1.2) + 1 / (1.2 - 1), slope(zeros, 1.2), 1e-12);
  EXPECT_NEAR(others_part(known, 1, 2.2) + 2 / (2.2 - 2), slope(zeros, 2.2), 1e-12);
}

}  // namespace
}  // namespace espalier::modes::detail
