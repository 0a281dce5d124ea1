#pragma once

// Numbers of about 32 digits: the unevaluated sum of two doubles, high + low with |low| <= ulp(high) / 2 [Dekker71].
// For the few places where the digits of a double do not carry a proof; some twenty times slower than one.
// Products are split by hand and not by std::fma, which is a call where the processor's own is not compiled for.
// Bounds of one operation, relative: sums 2 u^2 (and u^2 of the larger summand where they cancel), products 5 u^2,
// quotients 10 u^2 with u = 2^-53 [Joldes17]. Numbers stay below 1e290, where splitting overflows.

#include <cmath>
#include <cstddef>

#include <Eigen/Core>

namespace espalier::math {

struct DoubleDouble {
  double high = 0, low = 0;

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double x) : high(x) {}
  constexpr DoubleDouble(int x) : high(x) {}
  constexpr DoubleDouble(double h, double l) : high(h), low(l) {}
  explicit operator double() const { return high; }
};

namespace detail {

// a + b exactly; |a| >= |b|.
inline DoubleDouble quick_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}
inline DoubleDouble exact_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
inline DoubleDouble exact_product(double a, double b) {
  constexpr double kSplit = 134217729;  // 2^27 + 1
  const double product = a * b;
  const double a_big = kSplit * a - (kSplit * a - a), b_big = kSplit * b - (kSplit * b - b);
  const double a_rest = a - a_big, b_rest = b - b_big;
  return {product, ((a_big * b_big - product) + a_big * b_rest + a_rest * b_big) + a_rest * b_rest};
}

}  // namespace detail

inline DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble high = detail::exact_sum(a.high, b.high), low = detail::exact_sum(a.low, b.low);
  const DoubleDouble sum = detail::quick_sum(high.high, high.low + low.high);
  return detail::quick_sum(sum.high, sum.low + low.low);
}
inline DoubleDouble operator-(const DoubleDouble& a) { return {-a.high, -a.low}; }
inline DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) { return a + -b; }
inline DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble product = detail::exact_product(a.high, b.high);
  return detail::quick_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}
inline DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
  const double first = a.high / b.high;
  if (!std::isfinite(first)) return first;
  const DoubleDouble rest = a - b * DoubleDouble(first);
  const double second = rest.high / b.high;
  const DoubleDouble left = rest - b * DoubleDouble(second);
  return detail::quick_sum(first, second) + DoubleDouble(left.high / b.high);
}
inline DoubleDouble& operator+=(DoubleDouble& a, const DoubleDouble& b) { return a = a + b; }
inline DoubleDouble& operator-=(DoubleDouble& a, const DoubleDouble& b) { return a = a - b; }
inline DoubleDouble& operator*=(DoubleDouble& a, const DoubleDouble& b) { return a = a * b; }
inline DoubleDouble& operator/=(DoubleDouble& a, const DoubleDouble& b) { return a = a / b; }

inline bool operator==(const DoubleDouble& a, const DoubleDouble& b) { return a.high == b.high && a.low == b.low; }
inline bool operator!=(const DoubleDouble& a, const DoubleDouble& b) { return !(a == b); }
inline bool operator<(const DoubleDouble& a, const DoubleDouble& b) {
  return a.high < b.high || (a.high == b.high && a.low < b.low);
}
inline bool operator>(const DoubleDouble& a, const DoubleDouble& b) { return b < a; }
inline bool operator<=(const DoubleDouble& a, const DoubleDouble& b) { return a < b || a == b; }
inline bool operator>=(const DoubleDouble& a, const DoubleDouble& b) { return b <= a; }

inline DoubleDouble abs(const DoubleDouble& a) { return a.high < 0 || (a.high == 0 && a.low < 0) ? -a : a; }

using MatrixDD = Eigen::Matrix<DoubleDouble, Eigen::Dynamic, Eigen::Dynamic>;

}  // namespace espalier::math

template <>
struct Eigen::NumTraits<espalier::math::DoubleDouble> : Eigen::GenericNumTraits<espalier::math::DoubleDouble> {
  using Real = espalier::math::DoubleDouble;
  using NonInteger = espalier::math::DoubleDouble;
  using Nested = espalier::math::DoubleDouble;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 2,
    AddCost = 20,
    MulCost = 25
  };
  static Real epsilon() { return 4.93038065763132e-32; }
  static Real dummy_precision() { return 1e-28; }
  static int digits10() { return 31; }
};
