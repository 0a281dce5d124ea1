#include <fstream>

#include <gtest/gtest.h>

#include "espalier/files/sealed_file.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::files {
namespace {

namespace fs = std::filesystem;

void put_bytes(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

class Checkpoints : public TestFolder {
 protected:
  // The body of the last one that is whole; "none" where there is none.
  std::string last() {
    const auto sealed = read_last_checkpoint(path_, read_sealed, notes_);
    return sealed ? sealed->body : "none";
  }

  fs::path path_ = folder_ / "run.checkpoint.bin";
  std::vector<std::string> notes_;
};

TEST_F(Checkpoints, TheOneBeforeKeepsTheEndingOfItsName) {
  EXPECT_EQ(checkpoint_before("runs/checkpoint.bin"), fs::path("runs/checkpoint.before.bin"));
  EXPECT_EQ(checkpoint_before(path_), folder_ / "run.checkpoint.before.bin");
}

TEST_F(Checkpoints, TheOneBeforeStandsInForADamagedOne) {
  EXPECT_EQ(last(), "none");
  ASSERT_TRUE(write_sealed(path_, {"mechanism", "first"}).has_value());
  EXPECT_FALSE(fs::exists(checkpoint_before(path_)));
  ASSERT_TRUE(write_sealed(path_, {"mechanism", "second"}).has_value());
  EXPECT_EQ(last(), "second");
  EXPECT_TRUE(notes_.empty());
  put_bytes(path_, "espalier checkpoint 2 mechanism\nhalf");
  EXPECT_EQ(last(), "first");
  ASSERT_EQ(notes_.size(), 1u);
  EXPECT_MENTIONS(notes_[0], "continues from the checkpoint before it");
  fs::remove(path_);
  EXPECT_EQ(last(), "first") << "whoever lost the last one has the one before";
  put_bytes(checkpoint_before(path_), "");
  EXPECT_EQ(last(), "none");
}

}  // namespace
}  // namespace espalier::files
