// Every collective among 1, 2, 3 and 4 ranks, against what each rank can work out by itself. Only
// EXPECT here: an ASSERT that fails on one rank would leave the others waiting in the next collective.

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
#include "espalier/comm/test/messages.hpp"

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::comm {
namespace {

// Numbers of very different size and both signs: their sum depends on the order of the additions.
std::vector<double> rough_numbers(int rank, std::size_t count) {
  Random random(1, static_cast<std::uint32_t>(rank));
  std::vector<double> numbers(count);
  for (double& number : numbers) number = random.normal() * std::exp2(random.uniform(-40, 40));
  return numbers;
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

TEST(CollectivesMpi, BroadcastBringsTheRootsValueToAll) {
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

TEST(CollectivesMpi, GatherKeepsRankOrderAndFillsTheRootOnly) {
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

TEST(CollectivesMpi, AllGatherTakesListsOfAnyLength) {
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

TEST(CollectivesMpi, AllToAllBringsEachListToItsRank) {
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

TEST(CollectivesMpi, ExchangeReachesExactlyTheNeighbours) {
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

TEST(CollectivesMpi, ExchangeDoesNotMixUpManyRoundsInARow) {
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

TEST(CollectivesMpi, ARankWithoutNeighboursNeedNotCall) {
  const Comm comm = Comm::world();
  if (comm.rank() >= 2) return;
  std::vector<int> pair(to_index(std::min(comm.size(), 2)));
  std::iota(pair.begin(), pair.end(), 0);
  const Lists incoming = exchange(comm, std::span<const int>(pair), Lists(pair.size(), {comm.rank()}));
  for (std::size_t i = 0; i < pair.size(); ++i) EXPECT_EQ(incoming[i], std::vector<std::int64_t>{pair[i]});
}

TEST(CollectivesMpi, SumsAddInRankOrderBitForBit) {
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

TEST(CollectivesMpi, TheOrderOfTheSumMatters) {
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

TEST(CollectivesMpi, IntegersMinimaAndMaximaReduce) {
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

TEST(CollectivesMpi, ANanOnOneRankIsSeenByAll) {
  const Comm comm = Comm::world();
  for (int rank = 0; rank < comm.size(); ++rank) {
    const double mine = comm.rank() == rank ? std::numeric_limits<double>::quiet_NaN() : comm.rank();
    EXPECT_TRUE(std::isnan(min(comm, mine)));
    EXPECT_TRUE(std::isnan(max(comm, mine)));
    EXPECT_TRUE(std::isnan(sum(comm, mine)));
  }
}

TEST(CollectivesMpi, LogicalReductionsNoticeASingleRank) {
  const Comm comm = Comm::world();
  EXPECT_TRUE(all_of(comm, true));
  EXPECT_FALSE(any_of(comm, false));
  for (int rank = 0; rank < comm.size(); ++rank) {
    EXPECT_FALSE(all_of(comm, comm.rank() != rank));
    EXPECT_TRUE(any_of(comm, comm.rank() == rank));
  }
}

}  // namespace
}  // namespace espalier::comm
