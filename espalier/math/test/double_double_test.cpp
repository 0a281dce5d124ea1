#include "espalier/math/double_double.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"

namespace espalier::math {
namespace {

__extension__ typedef __float128 Quad;

Quad quad(const DoubleDouble& x) { return static_cast<Quad>(x.high) + static_cast<Quad>(x.low); }

// Relative to `size`, in units of 2^-106.
double off(const DoubleDouble& x, Quad exact, Quad size) {
  const Quad difference = (quad(x) - exact) / size;
  return static_cast<double>(difference < 0 ? -difference : difference) * std::ldexp(1.0, 106);
}

DoubleDouble random_number(Random& random) {
  const double high = random.uniform(-1, 1) * std::pow(10.0, random.uniform(-8, 8));
  return DoubleDouble(high) + DoubleDouble(high * random.uniform(-1e-16, 1e-16));
}

// A quadruple has seven digits of binary more: its own rounding takes part with 1/128.
TEST(DoubleDoubleNumbers, OperationsHoldTheirBoundsInQuadruplePrecision) {
  Random random(3);
  for (int k = 0; k < 20000; ++k) {
    const DoubleDouble a = random_number(random), b = random_number(random);
    const Quad x = quad(a), y = quad(b);
    const Quad larger = (x < 0 ? -x : x) > (y < 0 ? -y : y) ? x : y;
    EXPECT_LT(off(a + b, x + y, larger), 8.1);
    EXPECT_LT(off(a - b, x - y, larger), 8.1);
    EXPECT_LT(off(a * b, x * y, x * y), 5.1 * 4);
    EXPECT_LT(off(a / b, x / y, x / y), 10.1 * 4);
  }
}

TEST(DoubleDoubleNumbers, KeepsWhatADoubleLoses) {
  const DoubleDouble sum = DoubleDouble(1.0) + DoubleDouble(1e-25);
  EXPECT_EQ((sum - DoubleDouble(1.0)).high, 1e-25);
  EXPECT_LT(DoubleDouble(1.0), sum);
  EXPECT_GT(abs(-sum), DoubleDouble(1.0));
  EXPECT_FALSE(std::isfinite((DoubleDouble(1.0) / DoubleDouble(0.0)).high));
}

}  // namespace
}  // namespace espalier::math
