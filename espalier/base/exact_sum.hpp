#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace espalier {

// A sum of doubles without rounding: a fixed-point number wide enough for all of them, rounded once when it is read.
// The answer is the same bits for any order of the terms and any way to share them out. 570 bytes; about 3 ns a term.
class ExactSum {
 public:
  ExactSum& add(double term);
  ExactSum& add(const ExactSum& part);

  // The double nearest to the sum, ties to even. Infinite terms make it infinite, those of both signs or NaN make it
  // NaN; so does what is finite but too large make it infinite.
  double value() const;

  // Plain integers, for ranks that reduce: settle() first, add the words of up to 2^30 ranks one by one, and read.
  ExactSum& settle();
  std::span<std::int64_t> words() { return words_; }

 private:
  // Digits of 32 bits in words of 64: digit i counts 2^(32 i - 1074). The last three count what is not finite.
  static constexpr int kDigits = 68, kPlusInfinite = 68, kMinusInfinite = 69, kNotANumber = 70;
  std::array<std::int64_t, 71> words_ = {};
  std::int64_t terms_ = 0;  // since the digits were carried
};

// Square root of the sum of squares of all that was added.
double root_of(const ExactSum& squares);

}  // namespace espalier
