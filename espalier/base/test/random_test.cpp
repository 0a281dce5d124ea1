#include "espalier/base/numbers.hpp"

#include <array>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"

namespace espalier {
namespace {

using Block = std::array<std::uint32_t, 4>;

// The known answers that come with Random123 (kat_vectors, philox4x32 10).
TEST(Philox, GivesThePublishedKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, StartsWithTheBlockOfItsKey) {
  const Block block = philox({0, 0, 3, 4}, {0x89abcdef, 0x01234567});
  Random random(0x0123456789abcdef, 3, 4);
  EXPECT_EQ(random.bits(), std::uint64_t{block[1]} << 32 | block[0]);
  EXPECT_EQ(random.bits(), std::uint64_t{block[3]} << 32 | block[2]);
}

TEST(Random, GivesEveryKeyItsOwnStream) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    for (std::uint32_t a = 0; a < 5; ++a) {
      for (std::uint32_t b = 0; b < 5; ++b) {
        Random random(seed, a, b);
        for (int k = 0; k < 10; ++k) seen.insert(random.bits());
      }
    }
  }
  EXPECT_EQ(seen.size(), 5u * 5 * 5 * 10);
}

// With 10^5 draws the mean of a uniform number is off by 0.0009 (one sigma); the bounds are five sigma.
TEST(Random, UniformAndNormalHaveTheirMeanAndVariance) {
  Random random(1);
  double sum = 0, square = 0, normal_sum = 0, normal_square = 0;
  constexpr int kDraws = 100'000;
  for (int k = 0; k < kDraws; ++k) {
    const double u = random.uniform();
    EXPECT_GE(u, 0.0);
    EXPECT_LT(u, 1.0);
    sum += u;
    square += u * u;
    const double z = random.normal();
    ASSERT_TRUE(std::isfinite(z));
    normal_sum += z;
    normal_square += z * z;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 0.0046);
  EXPECT_NEAR(square / kDraws, 1.0 / 3, 0.005);
  EXPECT_NEAR(normal_sum / kDraws, 0, 0.016);
  EXPECT_NEAR(normal_square / kDraws, 1, 0.0225);
}

TEST(Random, BelowReachesEveryValueAboutEquallyOften) {
  Random random(2);
  std::vector<int> count(6, 0);
  for (int k = 0; k < 60'000; ++k) ++count[to_index(random.below(6))];
  for (const int c : count) EXPECT_NEAR(c, 10'000, 5 * 91);
  EXPECT_EQ(random.below(1), 0);
}

TEST(RandomDeathTest, BelowNeedsSomethingToChooseFrom) {
  Random random(3);
  EXPECT_DEATH(random.below(0), "at least one value");
}

TEST(Random, UniformInARangeStaysInIt) {
  Random random(4);
  for (int k = 0; k < 1000; ++k) {
    const double x = random.uniform(-2, 3);
    EXPECT_GE(x, -2);
    EXPECT_LT(x, 3);
  }
}

}  // namespace
}  // namespace espalier
