#include <map>
#include <string>

#include <gtest/gtest.h>

#include "espalier/comm/detail/launcher.hpp"

namespace espalier::comm::detail {
namespace {

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
