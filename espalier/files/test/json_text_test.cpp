#include <gtest/gtest.h>

#include "espalier/files/json.hpp"
#include "tests/support/expect.hpp"

namespace espalier::files {
namespace {

std::string lists(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(CheckJsonText, TakesTheDepthThatIsAllowedAndNoMore) {
  EXPECT_TRUE(check_json_text(lists(kDeepestJson), "f").has_value());
  const Result<void> deep = check_json_text("{\n" + lists(kDeepestJson), "f");
  ASSERT_FALSE(deep.has_value());
  EXPECT_EQ(deep.error().code, ErrorCode::kLimit);
  EXPECT_EQ(deep.error().where, (Where{"f", 2, 0}));
  EXPECT_MENTIONS(deep.error().message, "more than 64 levels");
}

// Depth is what is open at a time, not how many brackets there are.
TEST(CheckJsonText, ListsBesideEachOtherAreNotDeep) {
  std::string text = "[";
  for (int k = 0; k < 1000; ++k) text += "[{}],";
  EXPECT_TRUE(check_json_text(text + "1]", "f").has_value());
}

TEST(CheckJsonText, BracketsInTextsDoNotCount) {
  EXPECT_TRUE(check_json_text("\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\"", "f").has_value());
  EXPECT_FALSE(check_json_text("\"\\\\\"" + lists(kDeepestJson + 1), "f").has_value()) << "the text has ended before";
}

TEST(CheckJsonText, CountsValuesByTheirCommas) {
  // The list, and one value more than there are commas.
  EXPECT_TRUE(check_json_text("[" + std::string(kMostJsonValues - 2, ','), "f").has_value());
  const Result<void> many = check_json_text("[" + std::string(kMostJsonValues - 1, ','), "f");
  ASSERT_FALSE(many.has_value());
  EXPECT_MENTIONS(many.error().message, "more than 5000000 values");
}

}  // namespace
}  // namespace espalier::files
