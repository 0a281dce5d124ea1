#include "espalier/base/numbers.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace espalier {
namespace {

// Exponent of the smallest subnormal number: every finite double is a whole multiple of 2^kLowestBit.
constexpr int kLowestBit = -1074;
constexpr std::int64_t kDigit = std::int64_t{1} << 32;

// Digits in [0, 2^32) but for the last, which has the sign. Shifting right rounds down: so the rest is not negative.
void carry(std::span<std::int64_t> digits) {
  for (std::size_t i = 0; i + 1 < digits.size(); ++i) {
    const std::int64_t up = digits[i] >> 32;
    digits[i] -= up * kDigit;
    digits[i + 1] += up;
  }
}

// The top 64 bits of non-negative carried digits, with the lowest bit set where anything below is: what rounding needs.
struct Leading {
  std::uint64_t bits = 0;  // the top one set, unless all is zero
  int exponent = 0;        // of the lowest bit
};
Leading leading(std::span<const std::int64_t> digits) {
  int top = static_cast<int>(digits.size()) - 1;
  while (top >= 0 && digits[top] == 0) --top;
  if (top < 0) return {};
  auto digit = [&](int i) { return i < 0 ? std::uint64_t{0} : static_cast<std::uint64_t>(digits[i]); };
  // The top digit is not 0: shifted until its first bit is set, it and the next ones fill 64 bits.
  const int shift = std::countl_zero(static_cast<std::uint32_t>(digit(top)));
  std::uint64_t bits = (digit(top) << 32 | digit(top - 1)) << shift;
  const std::uint64_t below = digit(top - 2) << shift;
  bits |= below >> 32;
  bool rest = (below & 0xffffffff) != 0;
  for (int i = top - 3; i >= 0 && !rest; --i) rest = digits[i] != 0;
  if (rest) bits |= 1;
  return {bits, 32 * (top - 1) - shift + kLowestBit};
}

}  // namespace

ExactSum& ExactSum::add(double term) {
  const auto bits = std::bit_cast<std::uint64_t>(term);
  const int biased = static_cast<int>(bits >> 52 & 0x7ff);
  // Infinities and NaN have no digits: they are counted, and value() says what they make together.
  if (biased == 0x7ff) {
    ++words_[std::isnan(term) ? kNotANumber : term > 0 ? kPlusInfinite : kMinusInfinite];
    return *this;
  }
  const std::uint64_t fraction = bits & 0xfffffffffffff;
  // Subnormal numbers have no hidden bit, and the exponent of the smallest normal ones.
  const std::uint64_t mantissa = biased == 0 ? fraction : fraction | 0x10000000000000;
  const int place = biased == 0 ? 0 : biased - 1;  // of the mantissa's lowest bit, counted from 2^-1074
  const int first = place / 32, shift = place % 32;
  const std::uint64_t low = (mantissa & 0xffffffff) << shift, high = (mantissa >> 32) << shift;
  const std::array<std::int64_t, 3> parts = {static_cast<std::int64_t>(low & 0xffffffff),
                                             static_cast<std::int64_t>((low >> 32) + (high & 0xffffffff)),
                                             static_cast<std::int64_t>(high >> 32)};
  const std::int64_t sign = (bits >> 63) != 0 ? -1 : 1;
  // 53 bits, shifted by up to 31, lie in three words; carries wait until a word could overflow.
  for (int i = 0; i < 3; ++i) words_[first + i] += sign * parts[i];
  // A term adds less than 2^33 to a word, so 2^28 of them leave room for as many again.
  if (++terms_ >= std::int64_t{1} << 28) settle();
  return *this;
}

ExactSum& ExactSum::add(const ExactSum& part) {
  // Settled, the digits of the part are below 2^32 again, so that it counts here like one term.
  ExactSum settled = part;
  settled.settle();
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] += settled.words_[i];
  if (++terms_ >= std::int64_t{1} << 28) settle();
  return *this;
}

ExactSum& ExactSum::settle() {
  carry(std::span(words_).first(kDigits));
  terms_ = 0;
  return *this;
}

double ExactSum::value() const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (words_[kNotANumber] > 0 || (words_[kPlusInfinite] > 0 && words_[kMinusInfinite] > 0)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (words_[kPlusInfinite] > 0) return kInfinity;
  if (words_[kMinusInfinite] > 0) return -kInfinity;
  ExactSum sum = *this;
  sum.settle();
  // To nearest, ties to even, is the same for both signs, so that the size alone is rounded.
  const bool negative = sum.words_[kDigits - 1] < 0;
  if (negative) {
    for (int i = 0; i < kDigits; ++i) sum.words_[i] = -sum.words_[i];
    sum.settle();
  }
  const Leading top = leading(std::span(sum.words_).first(kDigits));
  // 64 bits to 53: the eleven below, with the one that stands for all the rest, decide. What is smaller than the
  // smallest normal number has no bits below 2^-1074, so ldexp does not round again.
  const std::uint64_t below = top.bits & 0x7ff;
  std::uint64_t mantissa = top.bits >> 11;
  if (below > 0x400 || (below == 0x400 && (mantissa & 1) != 0)) ++mantissa;
  const double size = std::ldexp(static_cast<double>(mantissa), top.exponent + 11);
  return negative ? -size : size;
}

double root_of(const ExactSum& squares) { return std::sqrt(squares.value()); }

}  // namespace espalier
