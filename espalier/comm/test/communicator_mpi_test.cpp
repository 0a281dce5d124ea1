// Among 1, 2, 3 and 4 ranks. Only EXPECT here: an ASSERT that fails on one rank would leave the others waiting in the
// next collective.

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/comm/collectives.hpp"
#include "espalier/comm/comm.hpp"

#include "espalier/base/index.hpp"

namespace espalier::comm {
namespace {

TEST(CommunicatorMpi, RanksAreNumberedFromZero) {
  const Comm comm = Comm::world();
  std::vector<int> expected(to_index(comm.size()));
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(all_gather(comm, comm.rank()), expected);
  EXPECT_EQ(comm.is_root(), comm.rank() == 0);
}

TEST(CommunicatorMpi, TimeInCollectivesGrowsWhereThereAreSeveralRanks) {
  const Comm comm = Comm::world();
  const double before = comm.seconds();
  barrier(comm);
  EXPECT_EQ(comm.seconds() > before, comm.size() > 1);
  EXPECT_EQ(Comm::serial().seconds(), 0);
}

TEST(CommunicatorMpi, SplitMakesSeparateGroups) {
  const Comm comm = Comm::world();
  // Even and odd ranks, in backward order.
  const Comm half = comm.split(comm.rank() % 2, -comm.rank());
  std::vector<int> expected;
  for (int rank = comm.size() - 1; rank >= 0; --rank) {
    if (rank % 2 == comm.rank() % 2) expected.push_back(rank);
  }
  EXPECT_EQ(all_gather(half, comm.rank()), expected);
  EXPECT_EQ(half.size(), static_cast<int>(expected.size()));
  EXPECT_EQ(expected[to_index(half.rank())], comm.rank());
  // A copy keeps the group alive.
  Comm copy = comm.split(0).split(0);
  EXPECT_EQ(sum(copy, 1), comm.size());
}

}  // namespace
}  // namespace espalier::comm
