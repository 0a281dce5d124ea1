#include "espalier/base/index.hpp"

#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>

namespace espalier {
namespace {

using AppleId = Id<struct AppleTag>;
using PearId = Id<struct PearTag>;

TEST(Id, IsInvalidUntilGivenAValue) {
  EXPECT_FALSE(AppleId().valid());
  EXPECT_EQ(AppleId().value(), -1);
  EXPECT_TRUE(AppleId(0).valid());
  EXPECT_EQ(AppleId(std::size_t{7}).index(), 7u);
}

TEST(Id, OrdersAndHashesByValue) {
  EXPECT_LT(AppleId(1), AppleId(2));
  EXPECT_EQ(AppleId(3), AppleId(3));
  const std::unordered_set<AppleId> set = {AppleId(1), AppleId(1), AppleId(2)};
  EXPECT_EQ(set.size(), 2u);
}

TEST(Id, OfOneKindIsNoIdOfAnotherAndNoInteger) {
  EXPECT_FALSE((std::is_convertible_v<AppleId, PearId>));
  EXPECT_FALSE((std::is_convertible_v<int, AppleId>));
  EXPECT_FALSE((std::is_convertible_v<AppleId, int>));
}

}  // namespace
}  // namespace espalier
