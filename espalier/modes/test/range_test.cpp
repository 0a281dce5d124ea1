#include "espalier/modes/range.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

// 3 springs and masses, all 1: omega = 2 sin((2k - 1) pi / 14).
double omega_of_three(int k) { return 2 * std::sin((2 * k - 1) * std::numbers::pi / 14); }

Structure three() { return spring_chain({1, 1, 1}, {1, 1, 1}); }

TEST(FindRange, ReachesAboveTheFrequenciesAskedFor) {
  const Structure chain = three();
  for (const int count : {1, 2, 3}) {
    const Range range = find_range(chain, chain_tree(chain, 3), count).value();
    EXPECT_GT(range.upto, omega_of_three(count));
    int below = 0;
    for (const int k : {1, 2, 3}) below += omega_of_three(k) < range.upto ? 1 : 0;
    EXPECT_EQ(range.beside, below);
    EXPECT_GE(range.pass.largest_s, range.upto);
  }
}

TEST(FindRange, EndsWhereAStructureHasNoMore) {
  const Structure chain = three();
  EXPECT_EQ(find_range(chain, chain_tree(chain, 3), 7).value().beside, 3);
}

// The inner masses feel twice the sum of both of their springs, 2 (1 + 1); a tenth is added to its root.
TEST(HighestFrequency, IsThatOfBodiesHeldTwiceAsStiffly) {
  const Highest found = highest_frequency(three());
  EXPECT_TRUE(found.bounds);
  EXPECT_NEAR(found.omega, 1.1 * 2, 1e-13);
  EXPECT_GT(found.omega, omega_of_three(3));
  EXPECT_NEAR(highest_frequency(spring_chain({8}, {2})).omega, 1.1 * std::sqrt(2 * 8 / 2.0), 1e-13);
}

TEST(HighestFrequency, IsNoBoundWithoutMassAndInfiniteForBeams) {
  EXPECT_FALSE(highest_frequency(spring_chain({1, 1}, {0, 1})).bounds);
  const Highest of_beam = highest_frequency(stepped_beam(1, 0));
  EXPECT_TRUE(std::isinf(of_beam.omega));
  EXPECT_FALSE(of_beam.bounds);
}

}  // namespace
}  // namespace espalier::modes
