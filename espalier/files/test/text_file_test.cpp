#include "espalier/files/text_file.hpp"

#include <csignal>
#include <iterator>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::files {
namespace {

namespace fs = std::filesystem;

class TextFiles : public TestFolder {};

TEST_F(TextFiles, AreReadByteByByte) {
  const std::string text("one\r\ntwo\0three\n\xFF", 16);
  ASSERT_TRUE(write_text_file(folder_ / "a.txt", text));
  EXPECT_EQ(*read_text_file(folder_ / "a.txt"), text);
}

TEST_F(TextFiles, ThatCannotBeReadSayWhy) {
  EXPECT_MENTIONS(read_text_file(folder_ / "none.yaml").error().message, "no such file");
  EXPECT_EQ(read_text_file(folder_ / "none.yaml").error().where.file, (folder_ / "none.yaml").string());
  EXPECT_MENTIONS(read_text_file(folder_).error().message, "this is a folder");
  EXPECT_MENTIONS(read_text_file("/dev/zero").error().message, "this is a device");
  ASSERT_TRUE(write_text_file(folder_ / "sparse", "x"));
  fs::resize_file(folder_ / "sparse", (std::uintmax_t{1} << 30) + 1);
  EXPECT_EQ(read_text_file(folder_ / "sparse").error().code, ErrorCode::kLimit);
}

TEST_F(TextFiles, AreWrittenIntoFoldersThatAreMade) {
  ASSERT_TRUE(write_text_file(folder_ / "new" / "deep" / "a.yaml", "text"));
  EXPECT_EQ(*read_text_file(folder_ / "new" / "deep" / "a.yaml"), "text");
  EXPECT_FALSE(fs::exists(folder_ / "new" / "deep" / "a.yaml.part"));
}

// A limit on the size of files stands for a full disk: the write breaks off in the middle.
TEST_F(TextFiles, StayWholeWhenTheDiskIsFull) {
  ASSERT_TRUE(write_text_file(folder_ / "a.yaml", "old"));
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const Result<void> written = write_text_file(folder_ / "a.yaml", std::string(100'000, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_FALSE(written.has_value());
  EXPECT_MENTIONS(written.error().message, "cannot be written: File too large");
  EXPECT_EQ(written.error().where.file, (folder_ / "a.yaml").string());
  EXPECT_EQ(*read_text_file(folder_ / "a.yaml"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1)
      << "a half-written file is left";
}

TEST_F(TextFiles, WriteThroughALinkAndToADevice) {
  ASSERT_TRUE(write_text_file(folder_ / "a.yaml", "old"));
  fs::create_symlink(folder_ / "a.yaml", folder_ / "link.yaml");
  ASSERT_TRUE(write_text_file(folder_ / "link.yaml", "new"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.yaml"));
  EXPECT_EQ(*read_text_file(folder_ / "a.yaml"), "new");
  EXPECT_FALSE(write_text_file("/dev/full", "new").has_value());
  EXPECT_TRUE(fs::exists("/dev/full"));
}

TEST_F(TextFiles, CannotReplaceAFolder) {
  fs::create_directories(folder_ / "a.yaml");
  EXPECT_FALSE(write_text_file(folder_ / "a.yaml", "new").has_value());
  EXPECT_TRUE(fs::is_directory(folder_ / "a.yaml"));
  ASSERT_TRUE(write_text_file(folder_ / "file", "x"));
  EXPECT_FALSE(write_text_file(folder_ / "file" / "below", "new").has_value());
}

}  // namespace
}  // namespace espalier::files
