#pragma once

// Sums of two doubles, hi + lo with |lo| at most half a unit in the last place of hi: some 106 bits. [Dekker71].
// No fused multiply-add: the same steps on every machine.

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace espalier::detail {

struct Pair {
  double hi = 0;
  double lo = 0;
};

// a + b without error, |a| >= |b|.
inline Pair quick_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}
// a + b without error.
inline Pair exact_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
// a b without error, where neither the factors' halves nor the product leave the range: |a|, |b| < 2^995, |a b| >
// 2^-960.
inline Pair exact_product(double a, double b) {
  constexpr double kSplit = 0x1p27 + 1;
  const double ca = kSplit * a, cb = kSplit * b;
  const double a1 = ca - (ca - a), b1 = cb - (cb - b);
  const double a2 = a - a1, b2 = b - b1;
  const double product = a * b;
  return {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

inline Pair operator+(const Pair& a, const Pair& b) {
  const Pair sum = exact_sum(a.hi, b.hi);
  return quick_sum(sum.hi, sum.lo + (a.lo + b.lo));
}
inline Pair operator-(const Pair& a) { return {-a.hi, -a.lo}; }
inline Pair operator-(const Pair& a, const Pair& b) { return a + -b; }
inline Pair operator*(const Pair& a, const Pair& b) {
  const Pair product = exact_product(a.hi, b.hi);
  return quick_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}
inline Pair operator*(const Pair& a, double b) { return a * Pair{b, 0}; }
inline Pair operator/(const Pair& a, const Pair& b) {
  const double quotient = a.hi / b.hi;
  const Pair back = exact_product(quotient, b.hi);
  const double rest = ((a.hi - back.hi) - back.lo) + (a.lo - quotient * b.lo);
  return quick_sum(quotient, rest / b.hi);
}
// Of a > 0.
inline Pair square_root(const Pair& a) {
  const double root = std::sqrt(a.hi);
  const Pair back = exact_product(root, root);
  const double rest = ((a.hi - back.hi) - back.lo) + a.lo;
  return quick_sum(root, rest / (2 * root));
}

// The integer next to x, |x| < 2^51: adding and subtracting this number rounds.
inline constexpr double kRounder = 0x1.8p52;
inline double nearest_integer(double x) { return (x + kRounder) - kRounder; }

// x 2^n.
inline double scaled(double x, int n) {
  constexpr int kBias = 1023;
  if (n <= -kBias || n > kBias) return std::ldexp(x, n);
  return x * std::bit_cast<double>(static_cast<std::uint64_t>(n + kBias) << 52);
}
inline Pair scaled(const Pair& x, int n) { return {scaled(x.hi, n), scaled(x.lo, n)}; }

// The polynomial c[0] + c[1] x + ...
template <class Coefficients>
double polynomial(const Coefficients& c, double x) {
  double sum = c.back();
  for (std::size_t k = c.size() - 1; k-- > 0;) sum = sum * x + c[k];
  return sum;
}

}  // namespace espalier::detail
