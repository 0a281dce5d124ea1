#include "espalier/files/folder_lock.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/folder.hpp"

namespace espalier::files {
namespace {

namespace fs = std::filesystem;

void put_bytes(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

class Lock : public TestFolder {};

TEST_F(Lock, KeepsOthersOutAndNamesItsProcess) {
  {
    const Result<FolderLock> mine = FolderLock::take(folder_);
    ASSERT_TRUE(mine.has_value());
    const Result<FolderLock> other = FolderLock::take(folder_);
    ASSERT_FALSE(other.has_value());
    EXPECT_NE(other.error().message.find("process " + std::to_string(::getpid()) + " is writing"), std::string::npos)
        << other.error().message;
  }
  EXPECT_TRUE(fs::is_empty(folder_));
  EXPECT_TRUE(FolderLock::take(folder_).has_value());
}

TEST_F(Lock, MovesWithItsOwner) {
  Result<FolderLock> mine = FolderLock::make(folder_ / "new" / "deep");
  ASSERT_TRUE(mine.has_value());
  {
    const FolderLock moved = *std::move(mine);
    mine = make_error(ErrorCode::kFile, {}, "");
    EXPECT_FALSE(FolderLock::take(folder_ / "new" / "deep").has_value()) << "what was moved from has given it back";
  }
  EXPECT_TRUE(FolderLock::take(folder_ / "new" / "deep").has_value());
}

TEST_F(Lock, NeedsAFolder) {
  EXPECT_FALSE(FolderLock::take(folder_ / "none").has_value());
  put_bytes(folder_ / "file", "");
  EXPECT_FALSE(FolderLock::make(folder_ / "file" / "below").has_value());
}

TEST_F(Lock, OfAProcessThatWasKilledIsNoLock) {
  put_bytes(folder_ / ".lock", "12345 elsewhere\n");
  put_bytes(folder_ / "checkpoint.bin.12345.part", "half");
  put_bytes(folder_ / "my.part", "the user's");
  EXPECT_TRUE(FolderLock::take(folder_).has_value());
  EXPECT_FALSE(fs::exists(folder_ / "checkpoint.bin.12345.part"));
  EXPECT_TRUE(fs::exists(folder_ / "my.part"));
}

}  // namespace
}  // namespace espalier::files
