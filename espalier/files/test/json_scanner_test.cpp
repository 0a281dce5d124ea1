#include <gtest/gtest.h>

#include "espalier/files/json.hpp"
#include "tests/support/expect.hpp"

namespace espalier::files {
namespace {

const std::string kFile = "f.json";

TEST(JsonScanner, WalksThroughAMap) {
  JsonScanner scanner("\xEF\xBB\xBF { \"a\\\"b\" : 1.5e3 ,\n \"c\":[true]} ", kFile);
  EXPECT_TRUE(scanner.take('{'));
  EXPECT_EQ(*scanner.string(), "a\\\"b") << "escapes stay as they are written";
  EXPECT_TRUE(scanner.take(':'));
  EXPECT_EQ(scanner.word(), "1.5e3");
  EXPECT_FALSE(scanner.take('}'));
  EXPECT_TRUE(scanner.take(','));
  EXPECT_EQ(scanner.peek(), '"');
  EXPECT_EQ(*scanner.string(), "c");
  EXPECT_TRUE(scanner.take(':'));
  EXPECT_TRUE(scanner.skip());
  EXPECT_FALSE(scanner.at_end());
  EXPECT_TRUE(scanner.take('}'));
  EXPECT_TRUE(scanner.at_end());
  EXPECT_EQ(scanner.peek(), '\0');
  EXPECT_FALSE(scanner.failed());
}

// Items of the outermost list or map alone, and exactly one value is stepped over.
TEST(JsonScanner, SkipsOneValueAndCountsItsItems) {
  const std::vector<std::pair<std::string, std::size_t>> values = {
      {"12", 0},         {"\"[,]\"", 0},
      {"[]", 0},         {"{}", 0},
      {"[1, 2, 3]", 3},  {"[[1, 2], [], {\"a\": [3, 4]}]", 3},
      {"{\"a\": 1}", 1}, {"{\"a\": {}, \"b\": [1, 2, 3]}", 2}};
  for (const auto& [value, count] : values) {
    const std::string text = value + ", 7";
    JsonScanner scanner(text, kFile);
    std::size_t items = 99;
    EXPECT_TRUE(scanner.skip(&items)) << value;
    EXPECT_EQ(items, count) << value;
    EXPECT_EQ(scanner.position(), value.size()) << value;
  }
}

TEST(JsonScanner, SkipsAMillionLevelsWithoutRecursion) {
  const std::string text = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  JsonScanner scanner(text, kFile);
  EXPECT_TRUE(scanner.skip());
  EXPECT_TRUE(scanner.at_end());
}

TEST(JsonScanner, NamesThePlaceAndWhatIsMissing) {
  const std::vector<std::pair<std::string, std::string>> broken = {
      {"[1 2]", "f.json:1: broken JSON: expected a comma or ], found '2'"},
      {"{\"a\": 1 \"b\": 2}", "expected a comma or }"},
      {"[1, 2}", "expected a comma or ]"},
      {"[1,\n  \"a\"", "f.json:2: broken JSON: expected a comma or ], found the end of the file"},
      {"{a: 1}", "expected a key in quotes"},
      {"{\"a\" 1}", "expected a colon after the key"},
      {"[1,]", "expected a value"},
      {"{\"a\": 1,}", "expected a key in quotes"},
      {"\n\"open\n\"", "f.json:2: broken JSON: the text that opens here is not closed on its line"}};
  for (const auto& [text, message] : broken) {
    JsonScanner scanner(text, kFile);
    EXPECT_FALSE(scanner.skip()) << text;
    ASSERT_TRUE(scanner.failed()) << text;
    EXPECT_MENTIONS(to_string(scanner.error()), message);
  }
}

TEST(JsonScanner, TheFirstErrorStays) {
  JsonScanner scanner("[1 2]", kFile);
  EXPECT_FALSE(scanner.skip());
  EXPECT_FALSE(scanner.fail(ErrorCode::kLimit, 0, "another"));
  EXPECT_EQ(scanner.error().code, ErrorCode::kSyntax);
  EXPECT_EQ(scanner.error().where.column, 4);
}

}  // namespace
}  // namespace espalier::files
