#include "espalier/record/detail/run_json.hpp"

#include <gtest/gtest.h>

#include "espalier/files/text_file.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::record::detail {
namespace {

using nlohmann::ordered_json;
using RunJson = TestFolder;

// The plan is JSON in the file and a text in the tree of values.
TEST_F(RunJson, APlanIsWrittenAsTheJsonItIsAndReadAsItsText) {
  const std::string plan = "{\n  \"root\": \"a \\\"plan\\\": null\"\n}";
  const ordered_json json = {{"espalier_run", kRunVersion}, {"command", "\n \"plan\": null"}, {"plan", plan + " \n"}};
  ASSERT_TRUE(write_run_json(folder_, json).has_value());
  const std::string text = *files::read_text_file(folder_ / kRunFile);
  EXPECT_MENTIONS(text, "\n \"plan\": {\n  \"root\"");
  const Result<ordered_json> read = read_run_json(folder_);
  ASSERT_TRUE(read.has_value()) << to_string(read.error());
  EXPECT_EQ((*read)["plan"], plan);
  EXPECT_EQ((*read)["command"], json["command"]);
}

TEST(ParseRunJson, TwoPlansAreOneTooMany) {
  const auto refused = parse_run_json("{\"espalier_run\": 2, \"plan\": {}, \"plan\": {}}", "run.json");
  ASSERT_FALSE(refused.has_value());
  EXPECT_MENTIONS(refused.error().message, "holds two plans");
  EXPECT_EQ(refused.error().where.file, "run.json");
}

// Version 1 had one list of options and one of counts; its scenes alone named their engine.
TEST(ParseRunJson, TheVersionBeforeGetsTheFormOfThisOne) {
  const ordered_json mechanism = *parse_run_json(
      "{\"espalier_run\": 1, \"options\": {\"step\": 0.5}, \"counts\": {\"rejected\": 3}, \"seed\": 7}", "run.json");
  EXPECT_EQ(mechanism["engine"]["name"], "recursive");
  EXPECT_EQ(mechanism["engine"]["options"]["step"], 0.5);
  EXPECT_EQ(mechanism["engine"]["counts"]["rejected"], 3);
  EXPECT_EQ(mechanism["engine"]["seed"], 7);
  // It started as drawn and had no table.
  EXPECT_EQ(mechanism["options"]["keyframe"], "");
  EXPECT_EQ(mechanism["options"]["csv"], false);
  const ordered_json scene =
      *parse_run_json("{\"espalier_run\": 1, \"engine\": \"contact\", \"ranks\": 4}", "run.json");
  EXPECT_EQ(scene["engine"]["name"], "contact");
  EXPECT_EQ(scene["engine"]["ranks"], 4);
}

TEST(ParseRunJson, AnotherVersionIsRefusedWithTheWayOut) {
  EXPECT_MENTIONS(parse_run_json("{\"espalier_run\": 3}", "run.json").error().message,
                  "continue with the program that wrote it");
  EXPECT_MENTIONS(parse_run_json("{\"run\": 2}", "run.json").error().message, "not a run.json");
}

// However deep a plan is, no tree of values is made of it; what is around it stays within its levels.
TEST(ParseRunJson, OnlyThePlanMayBeDeep) {
  const std::string deep = std::string(60, '[') + std::string(60, ']');
  const auto read = parse_run_json("{\"espalier_run\": 2, \"plan\": " + deep + "}", "run.json");
  ASSERT_TRUE(read.has_value()) << to_string(read.error());
  EXPECT_EQ((*read)["plan"], deep);
  const std::string deeper = std::string(100, '[') + std::string(100, ']');
  EXPECT_FALSE(parse_run_json("{\"espalier_run\": 2, \"options\": " + deeper + "}", "run.json").has_value());
}

}  // namespace
}  // namespace espalier::record::detail
