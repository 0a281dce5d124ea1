#include <csignal>

#include <gtest/gtest.h>

#include "espalier/comm/processes.hpp"

namespace espalier::comm {
namespace {

TEST(StopOnSignalDeathTest, TheFirstAsksAndTheSecondEnds) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const auto ask_twice = [signal] {
      const StopOnSignal on_signal;
      std::raise(signal);
      if (!*StopOnSignal::wanted() || StopOnSignal::signal() != signal) std::exit(3);
      std::raise(signal);
    };
    EXPECT_EXIT(ask_twice(), testing::KilledBySignal(signal), "");
  }
}

// launch() and batch systems say theirs again and again.
TEST(StopOnSignalDeathTest, OthersAskHoweverOftenTheyCome) {
  const auto ask = [] {
    const StopOnSignal on_signal;
    if (*StopOnSignal::wanted() || StopOnSignal::signal() != 0) std::exit(1);
    for (int k = 0; k < 3; ++k) std::raise(SIGHUP);
    if (!*StopOnSignal::wanted() || StopOnSignal::signal() != SIGHUP) std::exit(2);
    for (int k = 0; k < 3; ++k) std::raise(SIGUSR1);
    if (StopOnSignal::signal() != SIGINT) std::exit(3);
    for (int k = 0; k < 3; ++k) std::raise(SIGUSR2);
    if (StopOnSignal::signal() != SIGTERM) std::exit(4);
    std::exit(0);
  };
  EXPECT_EXIT(ask(), testing::ExitedWithCode(0), "");
}

TEST(StopOnSignalDeathTest, NohupIsObeyed) {
  const auto close_terminal = [] {
    std::signal(SIGHUP, SIG_IGN);
    const StopOnSignal on_signal;
    std::raise(SIGHUP);
    std::exit(*StopOnSignal::wanted() ? 1 : 0);
  };
  EXPECT_EXIT(close_terminal(), testing::ExitedWithCode(0), "");
}

TEST(StopOnSignalDeathTest, ItsEndGivesTheSignalsBack) {
  const auto raise_after = [] {
    { const StopOnSignal on_signal; }
    // launch() may still be asking: not a death by that.
    std::raise(SIGUSR1);
    std::raise(SIGINT);
  };
  EXPECT_EXIT(raise_after(), testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace espalier::comm
