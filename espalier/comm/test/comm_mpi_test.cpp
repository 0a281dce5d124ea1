// Every collective among 1, 2, 3 and 4 ranks, against what each rank can work out by itself. Only EXPECT here: an
// ASSERT that fails on one rank would leave the others waiting in the next collective.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/comm/collectives.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/comm/detail/mpi.hpp"

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::comm::detail {
namespace {

using Lists = std::vector<std::vector<std::int64_t>>;

// The list that rank `from` sends to rank `to`: every rank can say what it must get. Long ones are 3 MB.
std::vector<std::int64_t> message(int from, int to, bool is_long = false) {
  const int salt = 7 * from + 13 * to;
  const int length = (from + 2 * to) % 3 == 0 ? 0 : salt % 5 + (is_long ? 400'000 : 0);
  std::vector<std::int64_t> list(to_index(length));
  std::iota(list.begin(), list.end(), 1000 * salt);
  return list;
}

// Numbers of very different size and both signs: their sum depends on the order of the additions.
std::vector<double> rough_numbers(int rank, std::size_t count) {
  Random random(1, static_cast<std::uint32_t>(rank));
  std::vector<double> numbers(count);
  for (double& number : numbers) number = random.normal() * std::exp2(random.uniform(-40, 40));
  return numbers;
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

TEST(CommMpi, RanksAreNumberedFromZero) {
  const Comm comm = Comm::world();
  std::vector<int> expected(to_index(comm.size()));
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(all_gather(comm, comm.rank()), expected);
  EXPECT_EQ(comm.is_root(), comm.rank() == 0);
}

TEST(CommMpi, TimeInCollectivesGrowsWhereThereAreSeveralRanks) {
  const Comm comm = Comm::world();
  const double before = comm.seconds();
  barrier(comm);
  EXPECT_EQ(comm.seconds() > before, comm.size() > 1);
  EXPECT_EQ(Comm::serial().seconds(), 0);
}

TEST(CommMpi, BroadcastBringsTheRootsValueToAll) {
  const Comm comm = Comm::world();
  for (int root = 0; root < comm.size(); ++root) {
    EXPECT_EQ(broadcast(comm, 10 + comm.rank(), root), 10 + root);
    std::array<double, 3> triple = {0.5 * comm.rank(), 1, 2};
    broadcast(comm, std::span<double>(triple), root);
    EXPECT_EQ(triple[0], 0.5 * root);
    const std::string text(to_index(comm.rank()), 'a');  // the root's length differs from ours
    EXPECT_EQ(broadcast(comm, text, root), std::string(to_index(root), 'a'));
    EXPECT_EQ(broadcast(comm, message(comm.rank(), 1, true), root), message(root, 1, true));
  }
}

TEST(CommMpi, GatherKeepsRankOrderAndFillsTheRootOnly) {
  const Comm comm = Comm::world();
  for (int root = 0; root < comm.size(); ++root) {
    const std::array<int, 2> pair = {comm.rank(), -comm.rank()};
    const std::vector<int> all = gather(comm, std::span<const int>(pair), root);
    EXPECT_EQ(all.size(), comm.rank() == root ? 2u * to_index(comm.size()) : 0u);
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(all[i], i % 2 == 0 ? static_cast<int>(i / 2) : -static_cast<int>(i / 2));
    }
  }
}

TEST(CommMpi, AllGatherTakesListsOfAnyLength) {
  const Comm comm = Comm::world();
  for (const bool is_long : {false, true}) {
    const PerRank<std::int64_t> all =
        all_gather_v(comm, std::span<const std::int64_t>(message(comm.rank(), 1, is_long)));
    for (int rank = 0; rank < comm.size(); ++rank) {
      EXPECT_TRUE(std::ranges::equal(all.of(rank), message(rank, 1, is_long))) << "list of rank " << rank;
    }
  }
  EXPECT_TRUE(all_gather_v(comm, std::span<const double>()).values.empty());
}

TEST(CommMpi, AllToAllBringsEachListToItsRank) {
  const Comm comm = Comm::world();
  for (const bool is_long : {false, true}) {
    Lists outgoing;
    for (int rank = 0; rank < comm.size(); ++rank) outgoing.push_back(message(comm.rank(), rank, is_long));
    const Lists incoming = all_to_all_v(comm, outgoing);
    EXPECT_EQ(incoming.size(), outgoing.size());
    for (int rank = 0; rank < comm.size(); ++rank) {
      EXPECT_EQ(incoming[to_index(rank)], message(rank, comm.rank(), is_long)) << "from rank " << rank;
    }
  }
}

// 0 - 1 - 2 - 3: each rank speaks with the next ones of a chain, and with itself.
std::vector<int> chain_neighbours(const Comm& comm) {
  std::vector<int> neighbours;
  for (int rank = comm.rank() - 1; rank <= comm.rank() + 1; ++rank) {
    if (rank >= 0 && rank < comm.size()) neighbours.push_back(rank);
  }
  return neighbours;
}

TEST(CommMpi, ExchangeReachesExactlyTheNeighbours) {
  const Comm comm = Comm::world();
  const std::vector<int> neighbours = chain_neighbours(comm);
  for (const bool is_long : {false, true}) {
    Lists outgoing;
    Lists expected;
    for (const int rank : neighbours) {
      outgoing.push_back(message(comm.rank(), rank, is_long));
      expected.push_back(message(rank, comm.rank(), is_long));
    }
    EXPECT_EQ(exchange(comm, std::span(neighbours), outgoing), expected);
    Lists incoming = expected;
    for (std::vector<std::int64_t>& list : incoming) std::ranges::fill(list, -1);
    exchange_into(comm, std::span(neighbours), outgoing, incoming);
    EXPECT_EQ(incoming, expected);
  }
}

TEST(CommMpi, ExchangeDoesNotMixUpManyRoundsInARow) {
  const Comm comm = Comm::world();
  const std::vector<int> neighbours = chain_neighbours(comm);
  // No barrier between the rounds: a fast rank runs ahead of its neighbour.
  for (int round = 0; round < 200; ++round) {
    const Lists outgoing(neighbours.size(), {comm.rank(), round});
    const Lists incoming = exchange(comm, std::span(neighbours), outgoing);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      EXPECT_EQ(incoming[i], (std::vector<std::int64_t>{neighbours[i], round}));
    }
  }
}

TEST(CommMpi, ARankWithoutNeighboursNeedNotCall) {
  const Comm comm = Comm::world();
  if (comm.rank() >= 2) return;
  std::vector<int> pair(to_index(std::min(comm.size(), 2)));
  std::iota(pair.begin(), pair.end(), 0);
  const Lists incoming = exchange(comm, std::span<const int>(pair), Lists(pair.size(), {comm.rank()}));
  for (std::size_t i = 0; i < pair.size(); ++i) EXPECT_EQ(incoming[i], std::vector<std::int64_t>{pair[i]});
}

TEST(CommMpi, SumsAddInRankOrderBitForBit) {
  const Comm comm = Comm::world();
  // Short lists go one way through the ranks, long ones another; 100'001 does not divide evenly.
  for (const std::size_t count : {1, 64, 65, 100'001}) {
    std::vector<double> expected = rough_numbers(0, count);
    for (int rank = 1; rank < comm.size(); ++rank) {
      const std::vector<double> theirs = rough_numbers(rank, count);
      for (std::size_t i = 0; i < count; ++i) expected[i] += theirs[i];
    }
    std::vector<double> values = rough_numbers(comm.rank(), count);
    EXPECT_TRUE(same_bits(sum(comm, values[0]), expected[0]));
    sum(comm, std::span(values));
    EXPECT_TRUE(std::ranges::equal(values, expected, same_bits)) << count << " values";
  }
}

TEST(CommMpi, TheOrderOfTheSumMatters) {
  // If it did not, the test above could not fail: from three ranks on, adding backwards gives other bits somewhere.
  const Comm comm = Comm::world();
  if (comm.size() < 3) return;
  std::vector<double> backwards = rough_numbers(comm.size() - 1, 65);
  for (int rank = comm.size() - 2; rank >= 0; --rank) {
    const std::vector<double> theirs = rough_numbers(rank, 65);
    for (std::size_t i = 0; i < 65; ++i) backwards[i] += theirs[i];
  }
  std::vector<double> values = rough_numbers(comm.rank(), 65);
  sum(comm, std::span(values));
  EXPECT_FALSE(std::ranges::equal(values, backwards, same_bits));
}

TEST(CommMpi, IntegersMinimaAndMaximaReduce) {
  const Comm comm = Comm::world();
  const std::int64_t n = comm.size();
  EXPECT_EQ(sum(comm, comm.rank()), n * (n - 1) / 2);
  EXPECT_EQ(sum(comm, std::int64_t{1} << 40), n << 40);
  EXPECT_EQ(min(comm, 5 - comm.rank()), 6 - n);
  EXPECT_EQ(max(comm, 0.5 * comm.rank()), 0.5 * static_cast<double>(n - 1));
  std::vector<int> many(1000, comm.rank());
  min(comm, std::span(many));
  EXPECT_EQ(many, std::vector<int>(1000, 0));
  std::vector<std::size_t> sizes = {to_index(comm.rank()), 7};
  max(comm, std::span(sizes));
  EXPECT_EQ(sizes, (std::vector<std::size_t>{to_index(n - 1), 7}));
}

TEST(CommMpi, ANanOnOneRankIsSeenByAll) {
  const Comm comm = Comm::world();
  for (int rank = 0; rank < comm.size(); ++rank) {
    const double mine = comm.rank() == rank ? std::numeric_limits<double>::quiet_NaN() : comm.rank();
    EXPECT_TRUE(std::isnan(min(comm, mine)));
    EXPECT_TRUE(std::isnan(max(comm, mine)));
    EXPECT_TRUE(std::isnan(sum(comm, mine)));
  }
}

TEST(CommMpi, LogicalReductionsNoticeASingleRank) {
  const Comm comm = Comm::world();
  EXPECT_TRUE(all_of(comm, true));
  EXPECT_FALSE(any_of(comm, false));
  for (int rank = 0; rank < comm.size(); ++rank) {
    EXPECT_FALSE(all_of(comm, comm.rank() != rank));
    EXPECT_TRUE(any_of(comm, comm.rank() == rank));
  }
}

TEST(CommMpi, SplitMakesSeparateGroups) {
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

TEST(CommMpi, LongMessagesGoInPieces) {
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

TEST(CommMpi, TrafficCountsWhatThisRankSends) {
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

Error error_of(int rank) {
  return {ErrorCode::kTopology, "rank " + std::to_string(rank) + " found an open chain",
          Where{"part_" + std::to_string(rank) + ".yaml", 10 + rank, rank}, "option_" + std::to_string(rank),
          std::string(to_index(rank), '!')};
}

// The ranks in `failing` (a set of bits) bring an error, the others their own number.
void expect_agreement(const Comm& comm, unsigned failing) {
  const bool fails = (failing >> comm.rank() & 1U) != 0;
  const Result<int> mine = fails ? Result<int>(tl::unexpected(error_of(comm.rank()))) : Result<int>(comm.rank());
  const Result<int> agreed = agree(comm, mine);
  EXPECT_EQ(agreed.has_value(), failing == 0);
  if (agreed) {
    EXPECT_EQ(*agreed, comm.rank());
    return;
  }
  const int first = std::countr_zero(failing);
  Error expected = error_of(first);
  const bool all_failed = std::popcount(failing) == comm.size();
  if (!all_failed)
    expected.message += " (on rank " + std::to_string(first) + " of " + std::to_string(comm.size()) + ")";
  EXPECT_EQ(agreed.error().code, expected.code);
  EXPECT_EQ(agreed.error().message, expected.message);
  EXPECT_EQ(agreed.error().where, expected.where);
  EXPECT_EQ(agreed.error().option, expected.option);
  EXPECT_EQ(agreed.error().hint, expected.hint);
}

TEST(AgreeMpi, EveryRankGetsTheErrorOfTheLowestFailingRank) {
  const Comm comm = Comm::world();
  for (unsigned failing = 0; failing < 1U << comm.size(); ++failing) expect_agreement(comm, failing);
}

TEST(AgreeMpi, TheRootsErrorReachesAllUnchangedAndOthersDoNotCount) {
  const Comm comm = Comm::world();
  const Result<int> failed = tl::unexpected(error_of(comm.rank()));
  const Result<int> refused = agree_with_root(comm, comm.is_root() ? failed : Result<int>(comm.rank()));
  EXPECT_FALSE(refused);
  EXPECT_EQ(to_string(refused.error()), to_string(error_of(0)));
  const Result<int> agreed = agree_with_root(comm, comm.is_root() ? Result<int>(7) : failed);
  EXPECT_EQ(agreed.has_value(), comm.is_root());
}

TEST(AgreeMpi, WorksOnResultsWithoutAValue) {
  const Comm comm = Comm::world();
  EXPECT_TRUE(agree(comm, Result<void>()));
  const bool fails = comm.rank() == comm.size() - 1;
  EXPECT_FALSE(agree(comm, fails ? Result<void>(make_error(ErrorCode::kFile, {}, "")) : Result<void>()));
}

}  // namespace
}  // namespace espalier::comm::detail
