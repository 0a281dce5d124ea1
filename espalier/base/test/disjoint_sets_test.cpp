#include "espalier/base/disjoint_sets.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(DisjointSets, FindGivesTheLowestElement) {
  DisjointSets sets(6);
  EXPECT_TRUE(sets.join(5, 3));
  EXPECT_TRUE(sets.join(3, 4));
  EXPECT_TRUE(sets.join(1, 0));
  EXPECT_EQ(sets.find(5), 3);
  EXPECT_EQ(sets.find(4), 3);
  EXPECT_EQ(sets.find(2), 2);
  EXPECT_EQ(sets.find(1), 0);
  EXPECT_FALSE(sets.join(4, 5));
  EXPECT_TRUE(sets.join(4, 1));
  EXPECT_EQ(sets.find(5), 0);
}

TEST(DisjointSets, LongChainsAreFollowedToTheEnd) {
  DisjointSets sets(100000);
  for (int i = 99999; i > 0; --i) sets.join(i, i - 1);
  EXPECT_EQ(sets.find(99999), 0);
}

}  // namespace
}  // namespace espalier
