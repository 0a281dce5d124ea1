#pragma once

#include <array>
#include <cstdint>

namespace espalier {

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

}  // namespace espalier
