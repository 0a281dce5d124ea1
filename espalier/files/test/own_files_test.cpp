#include <array>
#include <fstream>
#include <string_view>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "espalier/files/system_file.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::files {
namespace {

namespace fs = std::filesystem;

class OwnFiles : public TestFolder {};

TEST_F(OwnFiles, AreFilesAndFolders) {
  std::ofstream(folder_ / "result.h5") << "x";
  fs::create_directories(folder_ / "frames");
  EXPECT_TRUE(check_own_files(folder_).has_value());
  EXPECT_TRUE(check_own_files(folder_ / "none").has_value()) << "what is not there holds nothing of others";
}

TEST_F(OwnFiles, AreNoLinksEvenToFilesOfTheFolder) {
  std::ofstream(folder_ / "a") << "x";
  fs::create_symlink(folder_ / "a", folder_ / "b");
  const Result<void> checked = check_own_files(folder_);
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().where.file, (folder_ / "b").string());
  EXPECT_MENTIONS(checked.error().message, "a link, a pipe or a device");
}

TEST_F(OwnFiles, AreNoPipes) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(check_own_files(folder_).has_value());
}

TEST_F(OwnFiles, AreThoseWithTheirNames) {
  const std::array<std::string_view, 2> own = {".lock", "blocks"};
  fs::create_directories(folder_ / "blocks");
  std::ofstream(folder_ / ".lock") << "x";
  EXPECT_TRUE(check_holds_only(folder_, own).has_value());
  EXPECT_TRUE(check_holds_only(folder_ / "none", own).has_value());
  for (const char* other : {"notes.txt", "a.csv"}) {
    std::ofstream(folder_ / other) << "x";
    const Result<void> checked = check_holds_only(folder_, own);
    ASSERT_FALSE(checked.has_value());
    // The first by name, whatever the order on the disk.
    EXPECT_EQ(checked.error().message, std::string("holds something else, '") + other + "'");
    EXPECT_EQ(checked.error().option, "folder");
  }
}

}  // namespace
}  // namespace espalier::files
