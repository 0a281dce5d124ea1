// Among 1, 2, 3 and 4 ranks. Only EXPECT here: an ASSERT that fails on one rank would leave the others waiting in the
// next collective.

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/comm/collectives.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/comm/detail/mpi.hpp"
#include "espalier/comm/test/messages.hpp"

#include "espalier/base/index.hpp"

namespace espalier::comm::detail {
namespace {

TEST(Mpi, LongMessagesGoInPieces) {
  const Comm comm = Comm::world();
  mpi::set_longest_piece(1000);  // as if MPI could count no further
  Lists outgoing;
  for (int rank = 0; rank < comm.size(); ++rank) outgoing.push_back(message(comm.rank(), rank, true));
  const Lists incoming = all_to_all_v(comm, outgoing);
  const std::vector<std::int64_t> mine(333, comm.rank());
  const std::vector<std::int64_t> all = all_gather(comm, std::span(mine));
  const std::vector<std::int64_t> gathered = gather(comm, std::span(mine), comm.size() - 1);
  const PerRank<std::int64_t> lists = all_gather_v(comm, std::span<const std::int64_t>(outgoing[0]));
  const std::vector<std::int64_t> sent = broadcast(comm, message(comm.rank(), 1, true), comm.size() - 1);
  mpi::set_longest_piece(mpi::kLongestPiece);

  std::vector<std::int64_t> expected;
  for (int rank = 0; rank < comm.size(); ++rank) {
    expected.insert(expected.end(), 333, rank);
    EXPECT_EQ(incoming[to_index(rank)], message(rank, comm.rank(), true));
    EXPECT_TRUE(std::ranges::equal(lists.of(rank), message(rank, 0, true)));
  }
  EXPECT_EQ(all, expected);
  EXPECT_EQ(gathered, comm.rank() == comm.size() - 1 ? expected : std::vector<std::int64_t>());
  EXPECT_EQ(sent, message(comm.size() - 1, 1, true));
}

}  // namespace
}  // namespace espalier::comm::detail
