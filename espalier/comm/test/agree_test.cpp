// The serial side: one rank, no launcher.

#include <gtest/gtest.h>

#include "espalier/comm/collectives.hpp"
#include "espalier/comm/comm.hpp"

namespace espalier::comm {
namespace {

TEST(SerialAgree, KeepsTheValueOrTheErrorUnchanged) {
  const Comm comm = Comm::serial();
  EXPECT_EQ(*agree(comm, Result<int>(5)), 5);
  EXPECT_TRUE(agree(comm, Result<void>()));
  const Result<int> failed = agree<int>(comm, make_error(ErrorCode::kName, {"four_bar.yaml", 12, 3}, "unknown body"));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kName);
  EXPECT_EQ(failed.error().message, "unknown body");
  EXPECT_EQ(failed.error().where, (Where{"four_bar.yaml", 12, 3}));
}

}  // namespace
}  // namespace espalier::comm
