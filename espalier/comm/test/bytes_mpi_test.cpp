// Among 1, 2, 3 and 4 ranks. Only EXPECT here: an ASSERT that fails on one rank would leave the others waiting in the
// next collective.

#include <vector>

#include <gtest/gtest.h>

#include "espalier/comm/collectives.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/comm/test/messages.hpp"

namespace espalier::comm {
namespace {

TEST(BytesMpi, TrafficCountsWhatThisRankSends) {
  const Comm comm = Comm::world().split(0);
  const std::int64_t others = comm.size() - 1;
  EXPECT_EQ(comm.traffic(), Traffic());
  broadcast(comm, 1.0);
  const std::int64_t copies = comm.is_root() ? others : 0;
  EXPECT_EQ(comm.traffic().of(Collective::kBroadcast), (Traffic::Count{1, copies, 8 * copies}));
  all_gather(comm, 1);
  EXPECT_EQ(comm.traffic().of(Collective::kAllGather), (Traffic::Count{1, others, 4 * others}));
  sum(comm, 1.0);
  EXPECT_EQ(comm.traffic().of(Collective::kReduce), (Traffic::Count{1, others, 8 * others}));
  // Three doubles to each neighbour; what stays on this rank does not count.
  const std::vector<int> neighbours = chain_neighbours(comm);
  const std::int64_t sent = static_cast<std::int64_t>(neighbours.size()) - 1;
  std::vector<std::vector<double>> lists(neighbours.size(), {1, 2, 3});
  exchange_into(comm, std::span(neighbours), std::vector(lists), lists);
  EXPECT_EQ(comm.traffic().of(Collective::kExchange), (Traffic::Count{1, sent, 24 * sent}));
  EXPECT_EQ(comm.traffic().total().rounds, 4);
}

}  // namespace
}  // namespace espalier::comm
