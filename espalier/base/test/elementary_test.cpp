#include "espalier/base/numbers.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace espalier::elementary {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Function = double (*)(double);
using Exact = long double (*)(long double);  // 64 bits and more: 11 beyond ours

// How far `value` is from `exact` in units of its last place.
double off(double value, long double exact) {
  const auto nearest = static_cast<double>(exact);
  if (value == nearest) return static_cast<double>(std::abs(exact - value) > 0 ? 0.5 : 0.0);
  const double unit = std::nextafter(std::abs(nearest), kInfinity) - std::abs(nearest);
  return static_cast<double>(std::abs(exact - static_cast<long double>(value)) / static_cast<long double>(unit));
}

struct Case {
  const char* name;
  Function own;
  Exact exact;
  double low, high;
  bool by_magnitude = false;  // 10^u, u uniform, and both signs where low < 0
};

double draw(const Case& c, Random& random) {
  if (!c.by_magnitude) return random.uniform(c.low, c.high);
  const double size = std::pow(10.0, random.uniform(-12, std::log10(c.high)));
  return c.low < 0 && random.below(2) == 0 ? -size : size;
}

TEST(Elementary, IsWithinOneUnitOfTheLastPlace) {
  const std::vector<Case> cases = {
      {"sin", sin, sinl, -10, 10},
      {"sin", sin, sinl, -1e6, 1e6, true},
      {"sin", sin, sinl, -1e18, 1e18, true},
      {"cos", cos, cosl, -10, 10},
      {"cos", cos, cosl, -1e18, 1e18, true},
      {"tan", tan, tanl, -10, 10},
      {"tan", tan, tanl, -1e9, 1e9, true},
      {"asin", asin, asinl, -1, 1},
      {"asin", asin, asinl, -1, 1, true},
      {"acos", acos, acosl, -1, 1},
      {"acos", acos, acosl, 0.999, 1},
      {"atan", atan, atanl, -3, 3},
      {"atan", atan, atanl, -1e9, 1e9, true},
      {"exp", exp, expl, -1, 1},
      {"exp", exp, expl, -700, 700},
      {"exp", exp, expl, -700, 700, true},
      {"log", log, logl, 0.5, 2},
      {"log", log, logl, 0, 1e12, true},
      {"log2", log2, log2l, 0, 1e12, true},
      {"log10", log10, log10l, 0, 1e12, true},
      {"sinh", sinh, sinhl, -2, 2},
      {"sinh", sinh, sinhl, -700, 700, true},
      {"cosh", cosh, coshl, -2, 2},
      {"cosh", cosh, coshl, -700, 700, true},
      {"tanh", tanh, tanhl, -2, 2},
      {"tanh", tanh, tanhl, -30, 30, true},
      {"cbrt", cbrt, cbrtl, -1e12, 1e12, true},
  };
  Random random(7);
  for (const Case& c : cases) {
    double worst = 0, where = 0;
    for (int k = 0; k < 20000; ++k) {
      const double x = draw(c, random);
      const double error = off(c.own(x), c.exact(static_cast<long double>(x)));
      if (!(error <= worst)) worst = error, where = x;
    }
    EXPECT_LT(worst, 1.0) << c.name << "(" << where << ")";
  }
}

TEST(Elementary, FunctionsOfTwoNumbersAreWithinOneUnit) {
  Random random(8);
  double pow_worst = 0, atan2_worst = 0, hypot_worst = 0;
  for (int k = 0; k < 20000; ++k) {
    const double x = std::pow(10.0, random.uniform(-6, 6)), y = random.uniform(-50, 50);
    pow_worst = std::max(pow_worst, off(pow(x, y), powl(x, y)));
    const double a = random.uniform(-1, 1) * std::pow(10.0, random.uniform(-9, 9)), b = random.uniform(-1, 1);
    atan2_worst = std::max(atan2_worst, off(atan2(a, b), atan2l(a, b)));
    hypot_worst = std::max(hypot_worst, off(hypot(a, b), hypotl(a, b)));
  }
  EXPECT_LT(pow_worst, 1.0);
  EXPECT_LT(atan2_worst, 1.0);
  EXPECT_LT(hypot_worst, 1.0);
}

TEST(Elementary, SpecialNumbersAreThoseOfC) {
  EXPECT_TRUE(std::isnan(sin(kInfinity)));
  EXPECT_TRUE(std::isnan(cos(kNan)));
  EXPECT_TRUE(std::isnan(tan(-kInfinity)));
  EXPECT_TRUE(std::isnan(asin(1.0000000000000002)));
  EXPECT_TRUE(std::isnan(log(-1)));
  EXPECT_TRUE(std::isnan(log(kNan)));
  EXPECT_TRUE(std::isnan(exp(kNan)));
  EXPECT_TRUE(std::isnan(tanh(kNan)));
  EXPECT_TRUE(std::isnan(hypot(kNan, 1)));
  EXPECT_EQ(exp(-kInfinity), 0);
  EXPECT_EQ(exp(1000), kInfinity);
  EXPECT_EQ(exp(-745.5), 0);
  EXPECT_GT(exp(-745), 0);
  EXPECT_EQ(log(0), -kInfinity);
  EXPECT_EQ(log(kInfinity), kInfinity);
  EXPECT_EQ(tanh(-50), -1);
  EXPECT_EQ(sinh(-1000), -kInfinity);
  EXPECT_EQ(acos(1), 0);
  EXPECT_EQ(acos(-1), M_PI);
  EXPECT_EQ(asin(-1), -M_PI / 2);
  EXPECT_TRUE(std::signbit(sin(-0.0)));
  EXPECT_EQ(hypot(3e300, 4e300), 5e300);
  EXPECT_EQ(hypot(-kInfinity, kNan), kInfinity);
  EXPECT_EQ(sinh_cosh(Complex(0, 0)).cosh, Complex(1, 0));
  EXPECT_EQ(sinh_cosh(Complex(1000, 0)).cosh, Complex(kInfinity, 0));
}

TEST(Elementary, AnglesAndPowersTakeTheSpecialValuesOfTheStandard) {
  const std::vector<double> numbers = {0.0,  -0.0,  1,      -1,     2,       -2,        3,          -3,  0.5,
                                       -0.5, 1e300, -1e300, 1e-310, -1e-310, kInfinity, -kInfinity, kNan};
  for (const double x : numbers) {
    for (const double y : numbers) {
      const auto same = [](double a, double b) {
        return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b)) ||
               (std::isfinite(a) && a != 0 && std::abs(a - b) <= 2e-16 * std::abs(b));
      };
      EXPECT_TRUE(same(atan2(y, x), std::atan2(y, x))) << y << " " << x << ": " << atan2(y, x);
      EXPECT_TRUE(same(pow(x, y), std::pow(x, y))) << x << " " << y << ": " << pow(x, y);
    }
  }
}

TEST(Elementary, PowersAndRootsThatAreNumbersAreExact) {
  for (int k = 0; k <= 22; ++k) EXPECT_EQ(pow(10, k), std::stod("1e" + std::to_string(k)));
  for (int k = 1; k <= 200; ++k) EXPECT_EQ(cbrt(static_cast<double>(k) * k * k), k);
  for (int k = -1000; k <= 1000; ++k) EXPECT_EQ(log2(std::ldexp(1, k)), k);
  EXPECT_EQ(pow(-3, 3), -27);
  EXPECT_EQ(hypot(3, 4), 5);
}

TEST(Elementary, ComplexFunctionsAreMadeOfRealOnes) {
  Random random(9);
  for (int k = 0; k < 2000; ++k) {
    const Complex z(random.uniform(-5, 5), random.uniform(-5, 5));
    const auto near = [](const Complex& a, const Complex& b) { return std::abs(a - b) < 4e-16 * std::abs(b); };
    EXPECT_TRUE(near(sin_cos(z).sin, std::sin(z))) << z;
    EXPECT_TRUE(near(sin_cos(z).cos, std::cos(z))) << z;
    EXPECT_TRUE(near(sinh_cosh(z).sinh, std::sinh(z))) << z;
    EXPECT_TRUE(near(sinh_cosh(z).cosh, std::cosh(z))) << z;
  }
}

}  // namespace
}  // namespace espalier::elementary
