#include "espalier/base/numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "espalier/base/detail/double_pair.hpp"

// Exponential, logarithm and what is made of them.

namespace espalier::elementary {
namespace {

using detail::Pair;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

constexpr Pair kLn2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
// The first 32 bits of it, whose product with an exponent is exact, and the rest.
constexpr double kLn2Front = 0x1.62e42feep-1, kLn2Rest = 0x1.a39ef35793c76p-33;

// 1/2!, 1/3!, ...: the first term left out of exp(r), |r| <= ln 2 / 2, is below 2^-59.
constexpr std::array<double, 12> kFactorials = {1.0 / 2,       1.0 / 6,        1.0 / 24,        1.0 / 120,
                                                1.0 / 720,     1.0 / 5040,     1.0 / 40320,     1.0 / 362880,
                                                1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};

// exp(r) - 1 - r.
double exp_tail(double r) { return r * r * detail::polynomial(kFactorials, r); }

// value 2^exponent, where the power alone may be out of range.
struct Scaled {
  Pair value;
  int exponent = 0;

  double number() const { return detail::scaled(value.hi + value.lo, exponent); }
};

// exp(x), |x.hi| < 800: 2^n exp(r) with r within half a ln 2.
Scaled exp_of(const Pair& x) {
  const double n = detail::nearest_integer(x.hi * (1 / kLn2.hi));
  const Pair r = detail::exact_sum(x.hi - n * kLn2Front, x.lo - n * kLn2Rest);
  // What 1 + r loses by rounding is known exactly, since 1 is the larger: it goes to the small part of the result.
  const double one = 1 + r.hi;
  const double lost = (1 - one) + r.hi;
  return {detail::quick_sum(one, lost + (exp_tail(r.hi) + r.lo * one)), static_cast<int>(n)};
}

// log(x) of finite x > 0 to some 2^-65 of itself: x = 2^k m, and with s = (m - 1) / (m + 1)
// log m = 2 s (1 + s^2/3 + s^4/5 + ...), s^2 < 0.03.
Pair log_of(double x) {
  int k = 0;
  double m = std::frexp(x, &k);
  // m within a factor of sqrt(2) of 1, where the series is shortest.
  if (m < 0.70710678118654752) m *= 2, --k;
  const Pair s = Pair{m - 1, 0} / detail::exact_sum(m, 1);
  const Pair square = s * s;
  constexpr std::array<double, 11> kTail = {1.0 / 7,  1.0 / 9,  1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17,
                                            1.0 / 19, 1.0 / 21, 1.0 / 23, 1.0 / 25, 1.0 / 27};
  constexpr Pair kFifth = {0x1.999999999999ap-3, -0x1.999999999999ap-57};
  constexpr Pair kThird = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
  // The first terms with all digits; of those behind them a double has enough.
  const Pair sum = square * (kThird + square * (kFifth + square * detail::polynomial(kTail, square.hi)));
  const Pair twice = {2 * s.hi, 2 * s.lo};
  return kLn2 * k + (twice + twice * sum);
}

// What log is of numbers that are not finite and above 0.
double odd_log(double x) { return x == 0 ? -kInfinity : x > 0 ? x : kNan; }
bool is_plain(double x) { return x > 0 && x <= std::numeric_limits<double>::max(); }

double log_in(double x, const Pair& unit) {
  if (!is_plain(x)) return odd_log(x);
  const Pair result = log_of(x) * unit;
  return result.hi + result.lo;
}

bool is_integer(double x) { return std::floor(x) == x; }
bool is_odd(double x) { return is_integer(x) && std::abs(x) < 0x1p53 && std::fmod(x, 2) != 0; }

// |x|^y where one of them is 0 or infinite.
double odd_pow(double size, double y) {
  if (size == 1) return 1;
  const bool grows = std::isinf(y) ? (size > 1) == (y > 0) : (size == 0) == (y < 0);
  return grows ? kInfinity : 0;
}

// exp(x) and exp(-x) at once, halved.
struct Both {
  Pair up, down;
};
Both halves(double x) {
  const Scaled up = exp_of({x, 0});
  return {detail::scaled(up.value, up.exponent - 1), detail::scaled(Pair{1, 0} / up.value, -up.exponent - 1)};
}

constexpr double kLargest = 711;  // of the hyperbolic functions: beyond it they are infinite

double sinh_series(double x) {
  constexpr std::array<double, 9> kOdd = {kFactorials[1],        kFactorials[3],          kFactorials[5],
                                          kFactorials[7],        kFactorials[9],          kFactorials[11],
                                          1.0 / 1307674368000.0, 1.0 / 355687428096000.0, 1.0 / 121645100408832000.0};
  const double xx = x * x;
  return x + x * (xx * detail::polynomial(kOdd, xx));
}

// sqrt(a^2 + b^2) with one step of Newton's method on the exact squares, which are in range.
double diagonal(double a, double b) {
  const double root = std::sqrt(a * a + b * b);
  const Pair aa = detail::exact_product(a, a), bb = detail::exact_product(b, b), rr = detail::exact_product(root, root);
  const double rest = ((std::max(aa.hi, bb.hi) - rr.hi) + std::min(aa.hi, bb.hi)) + ((aa.lo + bb.lo) - rr.lo);
  return root + rest / (2 * root);
}

// a b, and 0 where b is: a may be infinite.
double product(double a, double b) { return b == 0 ? b : a * b; }

}  // namespace

double exp(double x) {
  // Beyond the largest and below half the smallest number.
  if (x > 710) return kInfinity;
  if (x < -746) return 0;
  return x == x ? exp_of({x, 0}).number() : x;
}

double log(double x) { return log_in(x, {1, 0}); }
double log2(double x) { return log_in(x, {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56}); }
double log10(double x) { return log_in(x, {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57}); }

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return kNan;
  if (x < 0 && std::isfinite(x) && !is_integer(y)) return kNan;
  const double size = std::abs(x), sign = std::signbit(x) && is_odd(y) ? -1 : 1;
  if (size == 0 || !std::isfinite(size) || !std::isfinite(y)) return sign * odd_pow(size, y);
  const Pair base = log_of(size);
  // |log| >= 2^-53 but for 1: so large a power is out of range.
  if (std::abs(y) > 0x1p66) return sign * (base.hi == 0 ? 1 : (base.hi > 0) == (y > 0) ? kInfinity : 0);
  const Pair whole = std::abs(y) < 0x1p-900 ? Pair{base.hi * y, 0} : base * y;
  if (whole.hi > 710) return sign * kInfinity;
  if (whole.hi < -746) return sign * 0.0;
  return sign * exp_of(whole).number();
}

double cbrt(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent = 0;
  double m = std::frexp(std::abs(x), &exponent);
  while (exponent % 3 != 0) m /= 2, ++exponent;
  // One step of Newton's method from a root that is good to the last digits, with its cube known exactly.
  const double guess = exp(log(m) / 3);
  const Pair cube = detail::exact_product(guess, guess) * guess;
  const double root = guess - ((cube.hi - m) + cube.lo) / (3 * guess * guess);
  return std::copysign(std::ldexp(root, exponent / 3), x);
}

double hypot(double x, double y) {
  if (std::isinf(x) || std::isinf(y)) return kInfinity;
  const double a = std::abs(x), b = std::abs(y), most = std::max(a, b);
  if (most > 0x1p-400 && most < 0x1p400) return diagonal(a, b);
  if (most == 0 || x != x || y != y) return a + b;
  // Squares would leave the range: by a power of two, which rounds nothing, and back.
  const int exponent = std::ilogb(most);
  return std::ldexp(diagonal(std::ldexp(a, -exponent), std::ldexp(b, -exponent)), exponent);
}

SinhCosh sinh_cosh(double x) {
  if (x != x) return {x, x};
  const double size = std::abs(x);
  if (size > kLargest) return {std::copysign(kInfinity, x), kInfinity};
  const Both both = halves(size);
  const Pair sum = both.up + both.down, difference = both.up - both.down;
  // Near 0 both exponentials are 1 and their difference has no digits left.
  const double sine = size < 1 ? sinh_series(size) : difference.hi + difference.lo;
  return {std::copysign(sine, x), sum.hi + sum.lo};
}
double sinh(double x) { return sinh_cosh(x).sinh; }
double cosh(double x) { return sinh_cosh(x).cosh; }

// e / (e + 2) with e = exp(2x) - 1.
double tanh(double x) {
  const double size = std::abs(x);
  if (size > 22) return std::copysign(1, x);
  if (!(size > 0x1p-28)) return x;
  // Where exp(2x) is near 1 the subtraction would take the digits away, so that its series without the 1 is used.
  const double twice = 2 * size;
  const Scaled power = exp_of({twice, 0});
  const Pair e = twice < 0.34 ? detail::quick_sum(twice, exp_tail(twice))
                              : detail::scaled(power.value, power.exponent) + Pair{-1, 0};
  const Pair result = e / (e + Pair{2, 0});
  return std::copysign(result.hi + result.lo, x);
}

Complex polar(double size, double angle) {
  const SinCos turn = sin_cos(angle);
  return {size * turn.cos, size * turn.sin};
}

ComplexSinCos sin_cos(const Complex& z) {
  const SinCos turn = sin_cos(z.real());
  const SinhCosh rise = sinh_cosh(z.imag());
  return {{product(rise.cosh, turn.sin), product(rise.sinh, turn.cos)},
          {product(rise.cosh, turn.cos), -product(rise.sinh, turn.sin)}};
}
ComplexSinhCosh sinh_cosh(const Complex& z) {
  const SinCos turn = sin_cos(z.imag());
  const SinhCosh rise = sinh_cosh(z.real());
  return {{product(rise.sinh, turn.cos), product(rise.cosh, turn.sin)},
          {product(rise.cosh, turn.cos), product(rise.sinh, turn.sin)}};
}

}  // namespace espalier::elementary
