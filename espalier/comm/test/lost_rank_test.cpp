// Alone; tests/expect_stop.py has one rank of several killed.

#include <csignal>

#include <gtest/gtest.h>

#include "espalier/comm/processes.hpp"

namespace espalier::comm {
namespace {

TEST(LostRankDeathTest, AloneSigtermEndsAsEver) {
  const auto end = [] {
    const Comm comm = Comm::serial();
    const LostRank lost(comm);
    LostRank::set_way_out(comm, "try again");
    std::raise(SIGTERM);
  };
  EXPECT_EXIT(end(), testing::KilledBySignal(SIGTERM), "^$");
}

// With both, as programs have them, SIGTERM asks for the end.
TEST(LostRankDeathTest, SigtermAsksWhereNobodyIsLost) {
  const auto ask = [] {
    const LostRank lost(Comm::serial());
    const StopOnSignal on_signal;
    std::raise(SIGTERM);
    std::exit(*StopOnSignal::wanted() ? 0 : 1);
  };
  EXPECT_EXIT(ask(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace espalier::comm
