// The serial side: one rank, no launcher. The same among several ranks is in collectives_mpi_test.cpp.

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/comm/collectives.hpp"
#include "espalier/comm/comm.hpp"

namespace espalier::comm {
namespace {

static_assert(Plain<double> && Plain<std::array<int, 3>>);
static_assert(!Plain<double*> && !Plain<std::span<double>> && !Plain<std::string_view> && !Plain<std::string>);

TEST(SerialCollectives, CollectivesGiveBackWhatThisRankPutIn) {
  const Comm comm = Comm::serial();
  barrier(comm);
  EXPECT_EQ(broadcast(comm, 42), 42);
  EXPECT_EQ(broadcast(comm, std::string("text")), "text");
  EXPECT_EQ(broadcast(comm, std::vector{1, 2, 3}), (std::vector{1, 2, 3}));
  EXPECT_EQ(gather(comm, 2.5), std::vector{2.5});
  EXPECT_EQ(all_gather(comm, 'x'), std::vector{'x'});
  const std::vector<int> list = {4, 5};
  const PerRank<int> lists = all_gather_v(comm, std::span(list));
  EXPECT_EQ(lists.values, list);
  EXPECT_EQ(lists.offsets, (std::vector<std::size_t>{0, 2}));
  const std::vector<std::vector<int>> outgoing = {list};
  EXPECT_EQ(all_to_all_v(comm, outgoing), outgoing);
}

TEST(SerialCollectives, ExchangesWithItselfOrWithNobody) {
  const Comm comm = Comm::serial();
  const std::vector<int> self = {0};
  const std::vector<std::vector<double>> outgoing = {{1.5, 2.5}};
  EXPECT_EQ(exchange(comm, std::span(self), outgoing), outgoing);
  EXPECT_TRUE(exchange(comm, std::span<const int>(), std::vector<std::vector<double>>()).empty());
}

TEST(SerialCollectives, ReducesToItsOwnValue) {
  const Comm comm = Comm::serial();
  EXPECT_EQ(sum(comm, 0.1), 0.1);
  EXPECT_EQ(sum(comm, std::int64_t{7}), 7);
  EXPECT_EQ(min(comm, 3), 3);
  EXPECT_EQ(max(comm, std::size_t{9}), 9u);
  EXPECT_TRUE(std::signbit(sum(comm, -0.0)));
  EXPECT_TRUE(std::isnan(max(comm, std::numeric_limits<double>::quiet_NaN())));
  EXPECT_TRUE(all_of(comm, true));
  EXPECT_FALSE(any_of(comm, false));
}

TEST(SerialCollectivesDeathTest, BrokenCallsStopWithASentence) {
  const Comm comm = Comm::serial();
  const std::vector<std::vector<int>> one(1);
  const std::vector<std::vector<int>> two(2);
  const std::vector<int> twice = {0, 0};
  const std::vector<int> stranger = {1};
  EXPECT_DEATH(broadcast(comm, 1, 1), "not a rank of its group");
  EXPECT_DEATH(all_to_all_v(comm, two), "one entry for each rank");
  EXPECT_DEATH(exchange(comm, std::span(twice), two), "must be ascending");
  EXPECT_DEATH(exchange(comm, std::span(stranger), one), "not a rank of the group");
}

}  // namespace
}  // namespace espalier::comm
