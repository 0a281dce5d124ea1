#include "espalier/io/io.hpp"

#include <filesystem>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <iterator>
#include <unistd.h>

#include "espalier/io/test/support.hpp"

namespace espalier::io {
namespace {

namespace fs = std::filesystem;

// A folder of its own that goes away with the test.
class Files : public ::testing::Test {
 protected:
  Files() : folder_(fs::temp_directory_path() / ("espalier_io_test_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~Files() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  fs::path folder_;
};

TEST(DetectFormat, GoesByTheFirstElementOrKey) {
  const std::vector<std::pair<const char*, Format>> texts = {
      {"espalier: 1\n", Format::kNative},
      {"{\"espalier\": 1}", Format::kNative},
      {"# <robot>\nespalier: 1\n", Format::kNative},
      {"<robot name='a'/>", Format::kUrdf},
      {"<robot>", Format::kUrdf},
      {"<sdf version='1.9'>", Format::kSdf},
      {"<mujoco>", Format::kMjcf},
      {"<mujoco\nmodel='x'>", Format::kMjcf},
      {"<mujocoinclude>", Format::kMjcf},
      {"\xEF\xBB\xBF<sdf>", Format::kSdf},
      {"\xEF\xBB\xBF"
       "espalier: 1",
       Format::kNative},
      {"  \r\n\t<?xml version='1.0'?>\n<!-- <robot> --> <!DOCTYPE sdf>\n<sdf/>", Format::kSdf},
      {"<!-- no end", Format::kUrdf},
  };
  for (const auto& [text, format] : texts) {
    const Result<Format> found = detect_format(text, "f");
    ASSERT_TRUE(found.has_value()) << text << ": " << to_string(found.error());
    EXPECT_EQ(*found, format) << text;
  }
}

TEST(DetectFormat, TellsWhatItDoesNotRead) {
  EXPECT_MENTIONS(detect_format("", "f").error().message, "the file is empty");
  EXPECT_MENTIONS(detect_format(" \n\xEF\xBB\xBF", "f").error().message, "the file is empty");
  EXPECT_MENTIONS(detect_format(std::string_view("a\0b", 3), "f").error().message, "not a text file");
  const Error error = detect_format("<?xml version='1.0'?><COLLADA a='b'>", "f").error();
  EXPECT_EQ(error.code, ErrorCode::kFormat);
  EXPECT_MENTIONS(error.message, "starts with <COLLADA>");
  EXPECT_MENTIONS(detect_format("<robots/>", "f").error().message, "<robots>");
}

TEST(ChooseFormat, PrefersTheWordThenTheEnding) {
  EXPECT_EQ(*choose_format("", ""), Format::kNative);
  EXPECT_EQ(*choose_format("urdf", "a.sdf"), Format::kUrdf);
  const std::vector<std::pair<const char*, Format>> endings = {
      {"a.yaml", Format::kNative}, {"a.yml", Format::kNative},  {"a.json", Format::kNative},
      {"a.urdf", Format::kUrdf},   {"a.sdf", Format::kSdf},     {"a.world", Format::kSdf},
      {"a.xml", Format::kMjcf},    {"b.sdf/a", Format::kNative}};
  for (const auto& [path, format] : endings) EXPECT_EQ(*choose_format("", path), format) << path;
  EXPECT_EQ(*choose_format("mjcf", ""), Format::kMjcf);
  const Result<Format> unknown = choose_format("", "a.step");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().code, ErrorCode::kOption);
  EXPECT_MENTIONS(unknown.error().message, "no model format is called 'step'");
}

TEST(FormatName, CanBeAskedForAgain) {
  EXPECT_STREQ(format_name(Format::kNative), "native");
  EXPECT_STREQ(format_name(Format::kUrdf), "URDF");
  EXPECT_STREQ(format_name(Format::kSdf), "SDF");
  EXPECT_STREQ(format_name(Format::kMjcf), "MJCF");
}

TEST_F(Files, AreReadByteByByte) {
  const std::string text("one\r\ntwo\0three\n\xFF", 16);
  ASSERT_TRUE(write_text_file(folder_ / "a.txt", text));
  EXPECT_EQ(*read_text_file(folder_ / "a.txt"), text);
}

TEST_F(Files, ThatCannotBeReadSayWhy) {
  EXPECT_MENTIONS(read_text_file(folder_ / "none.yaml").error().message, "no such file");
  EXPECT_EQ(read_text_file(folder_ / "none.yaml").error().where.file, (folder_ / "none.yaml").string());
  EXPECT_MENTIONS(read_text_file(folder_).error().message, "this is a folder");
  EXPECT_MENTIONS(read_text_file("/dev/zero").error().message, "this is a device");
  ASSERT_TRUE(write_text_file(folder_ / "sparse", "x"));
  fs::resize_file(folder_ / "sparse", (std::uintmax_t{1} << 30) + 1);
  EXPECT_EQ(read_text_file(folder_ / "sparse").error().code, ErrorCode::kLimit);
}

TEST_F(Files, AreWrittenIntoFoldersThatAreMade) {
  ASSERT_TRUE(write_text_file(folder_ / "new" / "deep" / "a.yaml", "text"));
  EXPECT_EQ(*read_text_file(folder_ / "new" / "deep" / "a.yaml"), "text");
  EXPECT_FALSE(fs::exists(folder_ / "new" / "deep" / "a.yaml.part"));
}

// A limit on the size of files stands for a full disk: the write breaks off in the middle.
TEST_F(Files, StayWholeWhenTheDiskIsFull) {
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

TEST_F(Files, WriteThroughALinkAndToADevice) {
  ASSERT_TRUE(write_text_file(folder_ / "a.yaml", "old"));
  fs::create_symlink(folder_ / "a.yaml", folder_ / "link.yaml");
  ASSERT_TRUE(write_text_file(folder_ / "link.yaml", "new"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.yaml"));
  EXPECT_EQ(*read_text_file(folder_ / "a.yaml"), "new");
  EXPECT_FALSE(write_text_file("/dev/full", "new").has_value());
  EXPECT_TRUE(fs::exists("/dev/full"));
}

TEST_F(Files, CannotReplaceAFolder) {
  fs::create_directories(folder_ / "a.yaml");
  EXPECT_FALSE(write_text_file(folder_ / "a.yaml", "new").has_value());
  EXPECT_TRUE(fs::is_directory(folder_ / "a.yaml"));
  ASSERT_TRUE(write_text_file(folder_ / "file", "x"));
  EXPECT_FALSE(write_text_file(folder_ / "file" / "below", "new").has_value());
}

TEST_F(Files, AreReadInTheFormatOfTheirContent) {
  ASSERT_TRUE(write_text_file(folder_ / "misnamed.yaml", "<robot name='r'><link name='l'/></robot>"));
  const Result<model::ModelSpec> spec = read_model(folder_ / "misnamed.yaml");
  ASSERT_TRUE(spec.has_value()) << to_string(spec.error());
  EXPECT_EQ(spec->name, "r");
  EXPECT_TRUE(spec->impossible_inertia_allowed);
}

}  // namespace
}  // namespace espalier::io
