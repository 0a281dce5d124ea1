#include "espalier/modes/detail/rational.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace espalier::modes::detail {
namespace {

using Complex = std::complex<double>;

// Samples on a circle around two poles, with an entire function beside them.
TEST(FindPoles, SeesThoseThatTheSamplesSurround) {
  const Complex p(0.3, 0.2), q(-0.5, -0.1);
  std::vector<Complex> points, values;
  for (int k = 0; k < 64; ++k) {
    const Complex z = std::polar(2.0, 2 * std::numbers::pi * (k + 0.3) / 64);
    points.push_back(z);
    values.push_back(1.0 / (z - p) + 2.0 / (z - q) + std::exp(z));
  }
  std::vector<Pole> found;
  for (const Pole& pole : find_poles(points, values, 1e-13)) {
    if (std::abs(pole.residue) > 0.3 && std::abs(pole.at) < 2) found.push_back(pole);
  }
  ASSERT_EQ(found.size(), 2u);
  const bool first = std::abs(found[0].at - p) < std::abs(found[1].at - p);
  const Pole& at_p = found[first ? 0 : 1];
  const Pole& at_q = found[first ? 1 : 0];
  EXPECT_LT(std::abs(at_p.at - p), 1e-9);
  EXPECT_LT(std::abs(at_q.at - q), 1e-9);
  EXPECT_LT(std::abs(at_p.residue - 1.0), 1e-8);
  EXPECT_LT(std::abs(at_q.residue - 2.0), 1e-8);
}

TEST(FindPoles, OfAConstantThereAreNone) {
  const std::vector<Complex> points = {0, 1, Complex(0, 1), -1}, values(4, 3.0);
  EXPECT_TRUE(find_poles(points, values, 1e-13).empty());
}

}  // namespace
}  // namespace espalier::modes::detail
