#include "espalier/formats/detail/yaml.hpp"

#include <gtest/gtest.h>

#include "espalier/formats/test/support.hpp"

namespace espalier::formats::detail {
namespace {

using Kind = YamlNode::Kind;

YamlNode parse(const std::string& text) {
  const Result<YamlNode> root = parse_yaml(text, "t.yaml");
  EXPECT_TRUE(root.has_value()) << to_string(root.error());
  return root.value_or(YamlNode());
}

Error error_of(const std::string& text) {
  const Result<YamlNode> root = parse_yaml(text, "t.yaml");
  EXPECT_FALSE(root.has_value());
  return root ? Error() : root.error();
}

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int k = 0; k < count; ++k) all += text;
  return all;
}

TEST(Yaml, EveryNodeKnowsItsPlace) {
  const YamlNode root = parse("# comment\na: 1\n\nb:\n  - x\n  - {c: 2,\n     d: [3]}\n");
  ASSERT_EQ(root.kind, Kind::kMap);
  EXPECT_EQ(root.line, 2);
  EXPECT_EQ(root.find("a")->line, 2);
  EXPECT_EQ(root.find("a")->column, 4);
  EXPECT_EQ(root.entries[1].line, 4);
  const YamlNode& list = *root.find("b");
  ASSERT_EQ(list.kind, Kind::kList);
  EXPECT_EQ(list.items[0].line, 5);
  EXPECT_EQ(list.items[0].column, 5);
  EXPECT_EQ(list.items[1].find("c")->line, 6);
  EXPECT_EQ(list.items[1].entries[1].line, 7);
  EXPECT_EQ(list.items[1].find("d")->items[0].column, 10);
  EXPECT_EQ(root.find("c"), nullptr);
}

TEST(Yaml, TellsNullQuotedAndPlainApart) {
  const YamlNode root = parse("[, ~, null, '', '~', \"1\", 1, Null, !!str 2]");
  const std::vector<std::pair<Kind, bool>> expected = {
      {Kind::kNull, false},  {Kind::kNull, false},  {Kind::kNull, false},  {Kind::kScalar, true},
      {Kind::kScalar, true}, {Kind::kScalar, true}, {Kind::kScalar, false}};
  ASSERT_GE(root.items.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(root.items[k].kind, expected[k].first) << k;
    EXPECT_EQ(root.items[k].quoted, expected[k].second) << k;
  }
  EXPECT_EQ(root.items[5].scalar, "1");
  EXPECT_EQ(parse("a:\nb: 1").find("a")->kind, Kind::kNull);
}

TEST(Yaml, JsonIsYaml) {
  const YamlNode root = parse("{\"a\": [1, 2.5e-3, true], \"b\": {\"c\": null}}");
  EXPECT_EQ(root.find("a")->items[1].scalar, "2.5e-3");
  EXPECT_EQ(root.find("b")->find("c")->kind, Kind::kNull);
}

TEST(Yaml, AKeyStandsOnceInAMap) {
  const Error error = error_of("a: 1\nb: 2\na: 3\n");
  EXPECT_EQ(error.code, ErrorCode::kName);
  EXPECT_EQ(error.where, (Where{"t.yaml", 3, 1}));
  EXPECT_MENTIONS(error.message, "the key 'a' stands twice in one map");
  EXPECT_EQ(parse("a: {x: 1}\nb: {x: 2}\n").entries.size(), 2u);
  EXPECT_EQ(error_of("{a: 1, 'a': 2}").code, ErrorCode::kName);
}

TEST(Yaml, AKeyIsAWord) {
  EXPECT_EQ(error_of("? [1, 2]\n: 3\n").code, ErrorCode::kType);
  EXPECT_MENTIONS(error_of("? [1, 2]\n: 3\n").message, "a key must be a word; found a list of 2");
}

TEST(Yaml, DepthIsLimited) {
  EXPECT_EQ(parse(repeated("[", 64) + repeated("]", 64)).kind, Kind::kList);
  const Error error = error_of("\n" + repeated("[", 65) + repeated("]", 65));
  EXPECT_EQ(error.code, ErrorCode::kLimit);
  EXPECT_EQ(error.where.line, 2);
  EXPECT_EQ(error_of(repeated("[", 100000)).code, ErrorCode::kLimit);
  EXPECT_EQ(error_of(repeated("{a: ", 65) + "1" + repeated("}", 65)).code, ErrorCode::kLimit);
}

TEST(Yaml, AliasesAreCopies) {
  const YamlNode root = parse("a: &one [1, 2]\nb: *one\nc: {d: *one}\n");
  EXPECT_EQ(root.find("b")->items[1].scalar, "2");
  EXPECT_EQ(root.find("c")->find("d")->items.size(), 2u);
}

TEST(Yaml, AnAliasCannotHoldItself) {
  EXPECT_MENTIONS(error_of("a: &one [1, *one]\n").message, "an alias stands inside its own anchor");
  EXPECT_EQ(error_of("a: *nothing\n").code, ErrorCode::kSyntax);
}

// Each line nine times the one before: nine lines make 9^9 values.
TEST(Yaml, AliasesExpandTo100MiBAtMost) {
  std::string text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int k = 1; k < 9; ++k) {
    const std::string before = "*a" + std::to_string(k - 1);
    text += "a" + std::to_string(k) + ": &a" + std::to_string(k) + " [" + before + repeated(", " + before, 8) + "]\n";
  }
  EXPECT_EQ(error_of(text).code, ErrorCode::kLimit);
  EXPECT_MENTIONS(error_of(text).message, "more than 100 MiB");
}

// Few values, but long ones: 10 kB a thousand times, and as much at each of ten levels of anchors.
TEST(Yaml, LongTextsCountAsWhatTheyTake) {
  std::string text = "a: &a " + std::string(20'000, 'x') + "\nb: [*a" + repeated(", *a", 6000) + "]\n";
  EXPECT_EQ(error_of(text).code, ErrorCode::kLimit);
  EXPECT_EQ(error_of(text).where.line, 2);
  text = "a: ";
  for (int k = 0; k < 30; ++k) text += "&a" + std::to_string(k) + " [";
  text += "1" + repeated(",1", 60'000) + repeated("]", 30) + "\n";
  EXPECT_EQ(error_of(text).code, ErrorCode::kLimit);
  EXPECT_MENTIONS(error_of(text).message, "more than 100 MiB");
}

// Each line is 60 levels deep and holds the line before at the bottom.
TEST(Yaml, AliasesCountTowardsTheDepth) {
  std::string text = "a0: &a0 1\n";
  for (int k = 1; k < 150; ++k) {
    const std::string name = "a" + std::to_string(k);
    text += name + ": &" + name + " " + repeated("[", 60) + "*a" + std::to_string(k - 1) + repeated("]", 60) + "\n";
  }
  const Error error = error_of(text);
  EXPECT_EQ(error.code, ErrorCode::kLimit);
  EXPECT_EQ(error.where.line, 3);
}

TEST(Yaml, OneDocumentAFile) {
  const Error error = error_of("a: 1\n---\nb: 2\n");
  EXPECT_EQ(error.code, ErrorCode::kSyntax);
  EXPECT_EQ(error.where.line, 3);
  EXPECT_MENTIONS(error.message, "a second YAML document");
  EXPECT_EQ(parse("---\na: 1\n...\n").find("a")->scalar, "1");
  EXPECT_MENTIONS(error_of("# nothing\n").message, "nothing but comments");
}

TEST(Yaml, BrokenTextIsToldWithItsLine) {
  for (const char* text : {"a: 1\nb: [1, 2\n", "a: 1\nb: 'open\n", "a: 1\n\tb: 2\n", "a: 1\n b: 2\n"}) {
    const Error error = error_of(text);
    EXPECT_EQ(error.code, ErrorCode::kSyntax) << text;
    EXPECT_GE(error.where.line, 1) << text;
    EXPECT_MENTIONS(error.message, "broken YAML");
  }
}

TEST(Yaml, DescribesNodesForMessages) {
  EXPECT_EQ(describe(parse("[1, 2, 3]")), "a list of 3");
  EXPECT_EQ(describe(parse("{a: 1}")), "a map");
  EXPECT_EQ(describe(parse("word")), "'word'");
  EXPECT_EQ(describe(parse("~")), "nothing");
}

}  // namespace
}  // namespace espalier::formats::detail
