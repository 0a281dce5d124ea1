// The serial side: one rank, no launcher.

#include <gtest/gtest.h>

#include "espalier/comm/comm.hpp"

namespace espalier::comm {
namespace {

TEST(SerialSession, WithoutALauncherMpiDoesNotStart) {
  const Session session;
  EXPECT_FALSE(session.is_parallel());
  EXPECT_EQ(Comm::world().size(), 1);
}

TEST(SerialSessionDeathTest, ASecondSessionIsRefused) {
  const Session session;
  EXPECT_DEATH(Session(), "second Session");
}

}  // namespace
}  // namespace espalier::comm
