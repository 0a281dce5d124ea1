// Among 1, 2, 3 and 4 ranks. Only EXPECT here: an ASSERT that fails on one rank would leave the others waiting in the
// next collective.

#include <bit>
#include <string>

#include <gtest/gtest.h>

#include "espalier/comm/collectives.hpp"
#include "espalier/comm/comm.hpp"

#include "espalier/base/index.hpp"

namespace espalier::comm {
namespace {

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
}  // namespace espalier::comm
