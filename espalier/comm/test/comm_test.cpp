// The serial side: one rank, no launcher. The same collectives among several ranks are in comm_mpi_test.cpp.

#include "espalier/comm/comm.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/comm/collectives.hpp"
#include "espalier/comm/detail/launcher.hpp"

namespace espalier::comm::detail {
namespace {

static_assert(Plain<double> && Plain<std::array<int, 3>>);
static_assert(!Plain<double*> && !Plain<std::span<double>> && !Plain<std::string_view> && !Plain<std::string>);

TEST(SerialComm, IsOneRankAndItsOwnRoot) {
  const Comm comm = Comm::serial();
  EXPECT_EQ(comm.rank(), 0);
  EXPECT_EQ(comm.size(), 1);
  EXPECT_TRUE(comm.is_root());
  EXPECT_EQ(Comm::world().size(), 1);
}

TEST(SerialComm, CollectivesGiveBackWhatThisRankPutIn) {
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

TEST(SerialComm, ExchangesWithItselfOrWithNobody) {
  const Comm comm = Comm::serial();
  const std::vector<int> self = {0};
  const std::vector<std::vector<double>> outgoing = {{1.5, 2.5}};
  EXPECT_EQ(exchange(comm, std::span(self), outgoing), outgoing);
  EXPECT_TRUE(exchange(comm, std::span<const int>(), std::vector<std::vector<double>>()).empty());
}

TEST(SerialComm, ReducesToItsOwnValue) {
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

TEST(SerialComm, SendsNothing) {
  const Comm comm = Comm::serial();
  const Comm copy = comm;
  broadcast(copy, std::string("text"));
  sum(comm, 1.0);
  EXPECT_EQ(comm.traffic().total().messages, 0);
  EXPECT_EQ(comm.traffic().total().bytes, 0);
  EXPECT_EQ(comm.traffic().of(Collective::kBroadcast).rounds, 2);
  EXPECT_EQ(comm.traffic(), copy.traffic());
  EXPECT_EQ(comm.split(3).traffic(), Traffic());
}

TEST(SerialComm, SplitsIntoItself) {
  const Comm part = Comm::serial().split(5, -1);
  EXPECT_EQ(part.rank(), 0);
  EXPECT_EQ(part.size(), 1);
}

TEST(SerialCommDeathTest, BrokenCallsStopWithASentence) {
  const Comm comm = Comm::serial();
  const std::vector<std::vector<int>> one(1);
  const std::vector<std::vector<int>> two(2);
  const std::vector<int> twice = {0, 0};
  const std::vector<int> stranger = {1};
  EXPECT_DEATH(broadcast(comm, 1, 1), "not a rank of its group");
  EXPECT_DEATH(comm.split(-1), "colour of at least 0");
  EXPECT_DEATH(all_to_all_v(comm, two), "one entry for each rank");
  EXPECT_DEATH(exchange(comm, std::span(twice), two), "must be ascending");
  EXPECT_DEATH(exchange(comm, std::span(stranger), one), "not a rank of the group");
}

TEST(SerialAgree, KeepsTheValueOrTheErrorUnchanged) {
  const Comm comm = Comm::serial();
  EXPECT_EQ(*agree(comm, Result<int>(5)), 5);
  EXPECT_TRUE(agree(comm, Result<void>()));
  const Result<int> failed = agree<int>(comm, make_error(ErrorCode::kName, {"four_bar.yaml", 12, 3}, "unknown body"));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kName);
  EXPECT_EQ(failed.error().message, "unknown body");
  EXPECT_EQ(failed.error().where, (Where{"four_bar.yaml", 12, 3}));
}

TEST(SerialSession, WithoutALauncherMpiDoesNotStart) {
  const Session session;
  EXPECT_FALSE(session.is_parallel());
  EXPECT_EQ(Comm::world().size(), 1);
}

TEST(SerialSessionDeathTest, ASecondSessionIsRefused) {
  const Session session;
  EXPECT_DEATH(Session(), "second Session");
}

Launch launch_of(const std::map<std::string, std::string>& variables) {
  return find_launch([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(FindLaunch, NobodyAndBatchScriptsAreNotALaunch) {
  EXPECT_EQ(launch_of({}).launcher, "");
  // A Slurm batch script, and an interactive step of one task.
  EXPECT_EQ(launch_of({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}}).launcher, "");
  EXPECT_EQ(launch_of({{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}).launcher, "");
}

TEST(FindLaunch, KnowsEachLauncherAndItsCount) {
  EXPECT_EQ(launch_of({{"OMPI_COMM_WORLD_SIZE", "4"}, {"PMIX_RANK", "0"}}).ranks, 4);
  EXPECT_EQ(launch_of({{"PMI_RANK", "1"}, {"PMI_SIZE", "3"}}).ranks, 3);
  EXPECT_EQ(launch_of({{"PMIX_RANK", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}}).launcher, "srun");
  EXPECT_EQ(launch_of({{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}}).ranks, 2);
  // Launched, but the count is not a number: unknown.
  EXPECT_EQ(launch_of({{"OMPI_COMM_WORLD_SIZE", "many"}}).ranks, 0);
  EXPECT_EQ(launch_of({{"OMPI_COMM_WORLD_SIZE", "many"}}).launcher, "mpirun");
}

}  // namespace
}  // namespace espalier::comm::detail
