// The same design for every number of ranks, stopped and restarted or not. Each rank also searches alone.

#include <atomic>

#include <gtest/gtest.h>

#include "espalier/comm/collectives.hpp"
#include "espalier/study/test/run_goals_support.hpp"
#include "espalier/study/test/tune_support.hpp"

namespace espalier::study {
namespace {

using comm::Comm;

TEST(TuneMpi, RanksDoNotChangeABit) {
  const DesignSpace space = space_of(kMasses, kTwoFrequencies);
  const Result<Tuned> alone = find_design(Comm::serial(), space);
  const Result<Tuned> together = find_design(Comm::world(), space);
  ASSERT_TRUE(alone.has_value() && together.has_value());
  EXPECT_EQ(together->parameters, alone->parameters);
  EXPECT_EQ(together->best.frequencies, alone->best.frequencies);
  EXPECT_EQ(together->state.search.population.back().parameters, alone->state.search.population.back().parameters);
  if (Comm::world().is_root()) expect_same_state(together->state, alone->state);
}

TEST(TuneMpi, RanksDoNotChangeABitOfGoalsOnRuns) {
  const DesignSpace space = space_of(kOscillator, kEndOfOscillator);
  const Result<Tuned> alone = find_design(Comm::serial(), space);
  const Result<Tuned> together = find_design(Comm::world(), space);
  ASSERT_TRUE(alone.has_value() && together.has_value());
  EXPECT_EQ(together->best.quantities, alone->best.quantities);
  if (Comm::world().is_root()) expect_same_state(together->state, alone->state);
}

TEST(TuneMpi, RanksDoNotChangeWhenPatienceEnds) {
  DesignSpace space = space_of(kMasses, kTwoFrequencies);
  space.tuning.generations = 200;
  space.tuning.patience = 3;
  const Result<Tuned> alone = find_design(Comm::serial(), space);
  const Result<Tuned> together = find_design(Comm::world(), space);
  ASSERT_TRUE(alone.has_value() && together.has_value());
  EXPECT_EQ(together->end, optimize::End::kNoGain);
  EXPECT_EQ(alone->end, optimize::End::kNoGain);
  if (Comm::world().is_root()) expect_same_state(together->state, alone->state);
}

TEST(TuneMpi, AStopOnAnyRankAndARestartDoNotChangeABit) {
  const Comm comm = Comm::world();
  const DesignSpace space = space_of(kMasses, kTwoFrequencies);
  const std::atomic<bool> stop = comm.rank() == comm.size() - 1;
  DesignSearch options;
  options.stop = &stop;
  const Result<Tuned> first = find_design(comm, space, options);
  ASSERT_TRUE(first.has_value());
  EXPECT_TRUE(first->stopped);
  EXPECT_EQ(first->state.search.generation, 0) << "a generation that is not whole is left out";
  DesignSearch again;
  again.start = &first->state;
  const Result<Tuned> second = find_design(comm, space, again);
  const Result<Tuned> alone = find_design(Comm::serial(), space);
  ASSERT_TRUE(second.has_value() && alone.has_value());
  EXPECT_FALSE(second->stopped);
  EXPECT_EQ(second->parameters, alone->parameters);
  if (comm.is_root()) expect_same_state(second->state, alone->state);
}

TEST(TuneMpi, AnErrorReachesAllRanks) {
  const Comm comm = Comm::world();
  DesignSpace space = space_of(kMasses, kTwoFrequencies);
  if (comm.rank() == comm.size() - 1) space.tuning.algorithm = "guess";
  const Result<Tuned> tuned = find_design(comm, space);
  ASSERT_FALSE(tuned.has_value());
  EXPECT_NE(tuned.error().message.find("`algorithm` 'guess' is unknown"), std::string::npos);
}

}  // namespace
}  // namespace espalier::study
