#pragma once

// Elementary functions with the same bits on every machine. libm has several variants of each, chosen at run time by
// what the processor can do (fused multiply-add or not), and they differ in the last bit: results must not. Here all is
// plain arithmetic in one order (no contraction, see CMakeLists.txt), within 1 unit in the last place of the exact
// value (docs/theory/base.md). Infinities, zeros and NaN as in C. What IEEE 754 rounds exactly (sqrt, floor, fmod,
// ldexp, ...) is taken from the standard library.

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace espalier::elementary {

struct SinCos {
  double sin = 0;
  double cos = 1;
};
SinCos sin_cos(double x);  // of any size
double sin(double x);
double cos(double x);
double tan(double x);

double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);

double exp(double x);
double log(double x);
double log2(double x);
double log10(double x);
double pow(double x, double y);
double cbrt(double x);
double hypot(double x, double y);

struct SinhCosh {
  double sinh = 0;
  double cosh = 1;
};
SinhCosh sinh_cosh(double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);

using Complex = std::complex<double>;
Complex polar(double size, double angle);
struct ComplexSinCos {
  Complex sin, cos;
};
ComplexSinCos sin_cos(const Complex& z);
struct ComplexSinhCosh {
  Complex sinh, cosh;
};
ComplexSinhCosh sinh_cosh(const Complex& z);

}  // namespace espalier::elementary

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

// Ten rounds of Philox-4x32 [Salmon11]: a function of counter and key, with no state, so the same numbers come out on
// every rank and for every thread count.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

// Random numbers keyed by (seed, a, b): for instance (seed, generation, individual). Two keys never share a stream; a
// stream holds 2^65 numbers.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint32_t a = 0, std::uint32_t b = 0);

  // 64 uniform bits.
  std::uint64_t bits();
  // Uniform in [0, 1), 53 bits.
  double uniform();
  // Uniform in [low, high).
  double uniform(double low, double high);
  // Uniform in 0 .. n-1, without bias; n >= 1.
  int below(int n);
  // Standard normal.
  double normal();

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> block_{};
  int used_ = 4;
};

// Sixty-four bits of fingerprint, FNV-1a [Fowler91]: the same on every machine and in every version. It tells
// files and states apart that differ by accident, not by intent.
class Hash {
 public:
  Hash& add(std::string_view bytes);
  // The bits of the numbers: 0 and -0 differ.
  Hash& add(std::span<const double> numbers);
  Hash& add(std::int64_t number);

  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

// Sixteen hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace espalier
