// The same table for every number of ranks. Each rank also runs alone, in a folder of its own, as the reference.

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "espalier/comm/collectives.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/study/test/sweep_support.hpp"

namespace espalier::study {
namespace {

namespace fs = std::filesystem;
using comm::Comm;

// One folder for all ranks; the root clears it.
fs::path shared_folder(const Comm& comm) {
  const fs::path folder = fs::temp_directory_path() /
                          ("espalier_sweep_mpi_" + std::to_string(comm::broadcast(comm, static_cast<int>(::getpid()))));
  if (comm.is_root()) fs::remove_all(folder);
  comm::barrier(comm);
  return folder;
}

TEST(SweepMpi, RanksDoNotChangeAByte) {
  const Comm comm = Comm::world();
  const fs::path folder = shared_folder(comm);
  const fs::path alone = folder / ("alone" + std::to_string(comm.rank()));
  Fixture together(folder / "together"), serial(alone);
  together.options.run.threads = 2;
  const Result<SweepAnswer> answer = together.compute(comm);
  ASSERT_TRUE(answer.has_value()) << to_string(answer.error());
  EXPECT_TRUE(answer->complete);
  EXPECT_EQ(answer->computed, 12) << "no run is computed twice";
  ASSERT_TRUE(serial.compute().has_value());
  EXPECT_EQ(*files::read_text_file(folder / "together/runs.csv"), *files::read_text_file(alone / "runs.csv"));
  comm::barrier(comm);
  if (comm.is_root()) fs::remove_all(folder);
}

TEST(SweepMpi, AnErrorReachesAllRanks) {
  const Comm comm = Comm::world();
  Fixture fixture("/dev/null/none");
  EXPECT_FALSE(fixture.compute(comm).has_value());
}

}  // namespace
}  // namespace espalier::study
