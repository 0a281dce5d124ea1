#include "espalier/base/numbers.hpp"

#include <cmath>
#include <numbers>

#include "espalier/base/result.hpp"

namespace espalier {

// The constants of [Salmon11].
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(p1),
               static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(p0)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

Random::Random(std::uint64_t seed, std::uint32_t a, std::uint32_t b)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}, counter_{0, 0, a, b} {}

std::uint64_t Random::bits() {
  // A block of four words at a time, two to a draw.
  if (used_ == 4) {
    block_ = philox(counter_, key_);
    used_ = 0;
    // Blocks are counted in the two lower words: the upper ones, a and b, belong to the stream's key.
    if (++counter_[0] == 0) ++counter_[1];
  }
  const std::uint64_t low = block_[used_];
  const std::uint64_t high = block_[used_ + 1];
  used_ += 2;
  return high << 32 | low;
}

// As many bits as a double has digits: every multiple of 2^-53 is equally likely, and 1 is never reached.
double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

double Random::uniform(double low, double high) { return low + (high - low) * uniform(); }

int Random::below(int n) {
  ESPALIER_CHECK(n >= 1, "Random::below needs at least one value to choose from");
  const auto range = static_cast<std::uint64_t>(n);
  // Draws above the last whole multiple are thrown away: taken modulo n they would favour small numbers.
  const std::uint64_t limit = UINT64_MAX - UINT64_MAX % range;
  std::uint64_t draw = bits();
  while (draw >= limit) draw = bits();
  return static_cast<int>(draw % range);
}

double Random::normal() {
  // Box-Muller, one of the two values: the stream then does not depend on who asked before.
  // 1 - uniform() lies in (0, 1], where the logarithm is finite.
  const double radius = std::sqrt(-2.0 * elementary::log(1.0 - uniform()));
  return radius * elementary::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace espalier
