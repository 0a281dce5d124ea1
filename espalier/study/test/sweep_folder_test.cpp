#include "espalier/study/detail/sweep_folder.hpp"

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "espalier/files/text_file.hpp"
#include "espalier/study/test/sweep_support.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::study {
namespace {

namespace fs = std::filesystem;

// A 256th of the runs, at least one and at most 64.
TEST(BlockSize, IsSuchThatThereAreSome256Blocks) {
  EXPECT_EQ(detail::block_size(1, false), 1);
  EXPECT_EQ(detail::block_size(256 * 10, false), 10);
  EXPECT_EQ(detail::block_size(256 * 64, false), 64);
  EXPECT_EQ(detail::block_size(100'000'000, false), 64);
}

TEST(BlockSize, FillsTheLanesWhereThereAreRunsEnough) {
  EXPECT_EQ(detail::block_size(63, true), 1);
  EXPECT_EQ(detail::block_size(64, true), 8);
  EXPECT_EQ(detail::block_size(256 * 10, true), 10);
}

class SweepFolder : public TestFolder {
 protected:
  Result<SweepAnswer> compute() const { return Fixture(folder_).compute(); }
  void write(const fs::path& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
};

// What a program that was killed has left: a claim, a file half written, and a block that is done.
TEST_F(SweepFolder, TakesUpAgainWhatAKilledProgramClaimed) {
  ASSERT_TRUE(compute());
  const std::string table = *files::read_text_file(folder_ / "runs.csv");
  fs::remove(folder_ / "blocks/000002.csv");
  write("blocks/000002.claim", "");
  write("blocks/000003.csv.part", "half");
  const Result<SweepAnswer> again = compute();
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_TRUE(again->complete);
  EXPECT_EQ(again->computed, 1);
  EXPECT_EQ(*files::read_text_file(folder_ / "runs.csv"), table);
  EXPECT_FALSE(fs::exists(folder_ / "blocks/000003.csv.part"));
}

TEST_F(SweepFolder, CountsOutcomesAlsoBehindQuotedMessages) {
  ASSERT_TRUE(compute());
  // Number, two parameters, outcome, message: a message may hold commas, quotes and the words of outcomes.
  write("blocks/000000.csv", "0,1,2,refused,\"\"\"a\"\",failed,b\",,\n");
  write("blocks/000001.csv", "1,1,2,failed,\"refused,\",,\n");
  const Result<SweepAnswer> again = compute();
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(again->refused, 1);
  EXPECT_EQ(again->failed, 1);
  EXPECT_EQ(again->computed, 0);
}

TEST_F(SweepFolder, OfAnotherSweepIsNotTouched) {
  ASSERT_TRUE(compute());
  Fixture other(folder_);
  other.sweep.seed = 2;
  const Result<SweepAnswer> answer = other.compute();
  ASSERT_FALSE(answer);
  EXPECT_MENTIONS(answer.error().message, "holds another sweep");
}

}  // namespace
}  // namespace espalier::study
