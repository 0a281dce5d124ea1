// The serial side: one rank, no launcher.

#include <gtest/gtest.h>

#include "espalier/comm/comm.hpp"

namespace espalier::comm {
namespace {

TEST(SerialComm, IsOneRankAndItsOwnRoot) {
  const Comm comm = Comm::serial();
  EXPECT_EQ(comm.rank(), 0);
  EXPECT_EQ(comm.size(), 1);
  EXPECT_TRUE(comm.is_root());
  EXPECT_EQ(Comm::world().size(), 1);
}

TEST(SerialComm, SplitsIntoItself) {
  const Comm part = Comm::serial().split(5, -1);
  EXPECT_EQ(part.rank(), 0);
  EXPECT_EQ(part.size(), 1);
}

TEST(SerialCommDeathTest, AColourIsNotNegative) { EXPECT_DEATH(Comm::serial().split(-1), "colour of at least 0"); }

}  // namespace
}  // namespace espalier::comm
