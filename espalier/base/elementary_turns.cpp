#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "espalier/base/detail/double_pair.hpp"
#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

// Functions of angles, and angles.

namespace espalier::elementary {
namespace {

using detail::Pair;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Pair kHalfPi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr Pair kPi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

// x less the nearest multiple of pi/2, `quarter` of them modulo 4.
struct Reduced {
  Pair rest;
  int quarter = 0;
};

// |x| <= 2^20: the first two parts of pi/2 have 33 bits, so that their products with the multiple are exact.
constexpr double kSmall = 0x1p20;
Reduced reduce_small(double x) {
  constexpr double kFirst = 0x1.921fb544p+0, kSecond = 0x1.0b4611a6p-34;
  constexpr Pair kThird = {0x1.3198a2e037073p-69, 0x1.129024e088a68p-123};
  // A multiple that is off by one near a half does no harm: the rest is then a little beyond pi/4.
  const double n = detail::nearest_integer(x * (1 / kHalfPi.hi));
  const Pair front = detail::exact_sum(x - n * kFirst, -n * kSecond);
  return {front - Pair{n * kThird.hi, n * kThird.lo}, static_cast<int>(static_cast<std::int64_t>(n) & 3)};
}

// 2/pi in words of 64 bits behind the point, after one word of zeros.
constexpr std::array<std::uint64_t, 22> kTwoOverPi = {0,
                                                      0xa2f9836e4e441529,
                                                      0xfc2757d1f534ddc0,
                                                      0xdb6295993c439041,
                                                      0xfe5163abdebbc561,
                                                      0xb7246e3a424dd2e0,
                                                      0x06492eea09d1921c,
                                                      0xfe1deb1cb129a73e,
                                                      0xe88235f52ebb4484,
                                                      0xe99c7026b45f7e41,
                                                      0x3991d639835339f4,
                                                      0x9c845f8bbdf9283b,
                                                      0x1ff897ffde05980f,
                                                      0xef2f118b5a0a6d1f,
                                                      0x6d367ecf27cb09b7,
                                                      0x4f463f669e5fea2d,
                                                      0x7527bac7ebe5f17b,
                                                      0x3d0739f78a5292ea,
                                                      0x6bfb5fb11f8d5d08,
                                                      0x56033046fc7b6bab,
                                                      0xf0cfbc209af4361d,
                                                      0xa9e391615ee61b08};

// 64 bits of kTwoOverPi from bit `at` on.
std::uint64_t bits_at(int at) {
  const auto word = to_index(at / 64);
  const int shift = at % 64;
  return shift == 0 ? kTwoOverPi[word] : kTwoOverPi[word] << shift | kTwoOverPi[word + 1] >> (64 - shift);
}

// x >= kSmall, by [Payne83]: x = m 2^e with whole m. Bits of 2/pi that times 2^e give multiples of 4 do not count; of
// the rest 192 bits leave m times 2^-190 as an error, far below the nearest that a double comes to a multiple of pi/2.
Reduced reduce_large(double x) {
  __extension__ using Wide = unsigned __int128;
  int exponent = 0;
  const auto m = static_cast<std::uint64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  const int at = 64 + (exponent - 53) - 2;
  const Wide low = Wide{m} * bits_at(at + 128);
  const Wide middle = Wide{m} * bits_at(at + 64) + (low >> 64);
  const std::uint64_t high = m * bits_at(at) + static_cast<std::uint64_t>(middle >> 64);
  // Two bits of quarters, then the part of a quarter; from a half on it counts back from the next.
  Wide part = (Wide{high} << 64 | static_cast<std::uint64_t>(middle)) << 2 | static_cast<std::uint64_t>(low) >> 62;
  int quarter = static_cast<int>(high >> 62);
  const bool back = static_cast<std::uint64_t>(part >> 127) != 0;
  if (back) part = ~part + 1, quarter = (quarter + 1) & 3;
  // Zeros in front are shifted out first: near a multiple of pi/2 they would push digits out of the result.
  const int zeros = std::countl_zero(static_cast<std::uint64_t>(part >> 64));
  part <<= zeros;
  const double front = std::ldexp(static_cast<double>(static_cast<std::uint64_t>(part >> 75)), -53 - zeros);
  const auto behind = static_cast<std::uint64_t>(part >> 22) & 0x1fffffffffffff;
  const double rest = std::ldexp(static_cast<double>(behind), -106 - zeros);
  const Pair angle = kHalfPi * detail::quick_sum(front, rest);
  return {back ? -angle : angle, quarter};
}

Reduced reduced(double x) {
  if (std::abs(x) <= kSmall) return reduce_small(x);
  if (x > 0) return reduce_large(x);
  const Reduced mirrored = reduce_large(-x);
  return {-mirrored.rest, (4 - mirrored.quarter) & 3};
}

// Taylor series on [-pi/4, pi/4]: the first terms left out are below 2^-62.
Pair sine(const Pair& r) {
  const double x = r.hi, xx = x * x;
  double sum = 1.0 / 355687428096000.0;
  sum = 1.0 / 1307674368000.0 - sum * xx;
  sum = 1.0 / 6227020800.0 - sum * xx;
  sum = 1.0 / 39916800.0 - sum * xx;
  sum = 1.0 / 362880.0 - sum * xx;
  sum = 1.0 / 5040.0 - sum * xx;
  sum = 1.0 / 120.0 - sum * xx;
  sum = 1.0 / 6.0 - sum * xx;
  // The small part of r counts by the derivative, cos r = 1 - r^2/2.
  return detail::quick_sum(x, r.lo * (1 - 0.5 * xx) - x * (xx * sum));
}
Pair cosine(const Pair& r) {
  const double xx = r.hi * r.hi;
  double sum = 1.0 / 6402373705728000.0;
  sum = 1.0 / 20922789888000.0 - sum * xx;
  sum = 1.0 / 87178291200.0 - sum * xx;
  sum = 1.0 / 479001600.0 - sum * xx;
  sum = 1.0 / 3628800.0 - sum * xx;
  sum = 1.0 / 40320.0 - sum * xx;
  sum = 1.0 / 720.0 - sum * xx;
  sum = 1.0 / 24.0 - sum * xx;
  // What 1 - r^2/2 loses by rounding is known exactly, since 1 is the larger. The small part of r counts by the
  // derivative, -sin r = -r.
  const double one = 1 - 0.5 * xx;
  const double lost = (1 - one) - 0.5 * xx;
  return detail::quick_sum(one, lost + (xx * xx * sum - r.hi * r.lo));
}

// Both, of the whole angle.
struct Turn {
  Pair sin, cos;
};
Turn turn_by(double x) {
  const Reduced r = reduced(x);
  const Pair s = sine(r.rest), c = cosine(r.rest);
  // sin(r + pi/2) = cos r and cos(r + pi/2) = -sin r, once for each quarter.
  switch (r.quarter) {
    case 0:
      return {s, c};
    case 1:
      return {c, -s};
    case 2:
      return {-s, -c};
    default:
      return {-c, s};
  }
}

// atan(k / 8).
constexpr std::array<Pair, 9> kEighths = {{{0, 0},
                                           {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                           {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                           {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                           {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                           {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                           {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                           {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                           {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}}};

// atan(y / x), 0 <= y <= x, x > 0: with c the nearest eighth, atan c + atan of (y - c x) / (x + c y), at most 1/16.
Pair eighth_turn(const Pair& y, const Pair& x) {
  const double k = detail::nearest_integer(8 * (y.hi / x.hi));
  const double c = k / 8;
  // tan of a difference, (u - c) / (1 + u c) with u = y / x, multiplied out by x: one division instead of two.
  const Pair t = k == 0 ? y / x : (y - x * c) / (x + y * c);
  const double square = t.hi * t.hi;
  constexpr std::array<double, 8> kOdd = {1.0 / 3,  -1.0 / 5,  1.0 / 7,  -1.0 / 9,
                                          1.0 / 11, -1.0 / 13, 1.0 / 15, -1.0 / 17};
  const Pair& base = kEighths[to_index(static_cast<int>(k))];
  return base + Pair{t.hi, t.lo - t.hi * (square * detail::polynomial(kOdd, square))};
}

// The angle of (x, y), y >= 0, not both 0; no number is beyond what exact_product takes.
Pair angle_of(const Pair& y, const Pair& x) {
  const bool back = x.hi < 0;
  const Pair across = back ? -x : x;
  const Pair first = y.hi <= across.hi ? eighth_turn(y, across) : kHalfPi - eighth_turn(across, y);
  return back ? kPi - first : first;
}

double rounded(const Pair& a) { return a.hi + a.lo; }

// sqrt(1 - x^2).
Pair other_side(double x) {
  const Pair square = detail::exact_sum(1, -x) * detail::exact_sum(1, x);
  return square.hi > 0 ? detail::square_root(square) : Pair{};
}

}  // namespace

SinCos sin_cos(double x) {
  if (!std::isfinite(x)) return {kNan, kNan};
  // The next terms, x^3/6 and x^2/2, are below half a unit in the last place.
  if (std::abs(x) < 0x1p-27) return {x, 1};
  const Turn turn = turn_by(x);
  return {rounded(turn.sin), rounded(turn.cos)};
}
double sin(double x) { return sin_cos(x).sin; }
double cos(double x) { return sin_cos(x).cos; }

double tan(double x) {
  if (!std::isfinite(x)) return kNan;
  if (std::abs(x) < 0x1p-27) return x;
  const Turn turn = turn_by(x);
  return rounded(turn.sin / turn.cos);
}

double atan2(double y, double x) {
  if (x != x || y != y) return kNan;
  double a = std::abs(y), b = x;
  // By limits, as C has them: two infinities lie on a diagonal, one alone on an axis.
  if (std::isinf(a) && std::isinf(b)) a = 1, b = std::copysign(1, b);
  if (std::isinf(a) || std::isinf(b)) a = std::isinf(a) ? 1 : 0, b = std::isinf(b) ? std::copysign(1, b) : 0;
  if (a == 0) return std::copysign(std::signbit(b) ? kPi.hi : 0, y);
  // So far from each other the smaller number counts no more, or their quotient is the angle.
  const int rise = std::ilogb(a), run = b == 0 ? -3000 : std::ilogb(b);
  if (rise - run > 60) return std::copysign(kHalfPi.hi, y);
  if (run - rise > 60) return std::copysign(b < 0 ? kPi.hi : a / b, y);
  // By a power of two, which rounds nothing, into the range that exact_product takes.
  return std::copysign(rounded(angle_of({std::ldexp(a, -rise), 0}, {std::ldexp(b, -rise), 0})), y);
}
double atan(double x) { return atan2(x, 1); }

double asin(double x) {
  const double size = std::abs(x);
  if (!(size <= 1)) return kNan;
  if (size < 0x1p-27) return x;
  return std::copysign(rounded(angle_of({size, 0}, other_side(x))), x);
}
double acos(double x) {
  if (!(std::abs(x) <= 1)) return kNan;
  if (x == 1) return 0;
  return rounded(angle_of(other_side(x), {x, 0}));
}

}  // namespace espalier::elementary
