#include "espalier/formats/formats.hpp"

#include <gtest/gtest.h>

#include "espalier/files/text_file.hpp"
#include "espalier/formats/test/support.hpp"
#include "tests/support/folder.hpp"

namespace espalier::formats {
namespace {

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

TEST(DetectFormat, KnowsUsdByItsFirstLine) {
  EXPECT_EQ(*detect_format("#usda 1.0\n", "f"), Format::kUsd);
  // A comment of YAML.
  EXPECT_EQ(*detect_format("# usda 1.0\nespalier: 1\n", "f"), Format::kNative);
  EXPECT_EQ(*choose_format("", "a.usda"), Format::kUsd);
  EXPECT_STREQ(format_name(Format::kUsd), "USD");
  EXPECT_MENTIONS(detect_format(std::string_view("PXR-USDC\0\0", 10), "f").error().message, "usdcat");
}

class ModelFiles : public TestFolder {};

TEST_F(ModelFiles, AreReadInTheFormatOfTheirContent) {
  ASSERT_TRUE(files::write_text_file(folder_ / "misnamed.yaml", "<robot name='r'><link name='l'/></robot>"));
  const Result<model::ModelSpec> spec = read_model(folder_ / "misnamed.yaml");
  ASSERT_TRUE(spec.has_value()) << to_string(spec.error());
  EXPECT_EQ(spec->name, "r");
  EXPECT_TRUE(spec->impossible_inertia_allowed);
}

}  // namespace
}  // namespace espalier::formats
