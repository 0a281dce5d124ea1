#include "espalier/manual/detail/parts.hpp"

#include <gtest/gtest.h>

#include "espalier/manual/test/program.hpp"

namespace espalier::manual::detail {
namespace {

TEST(Headings, StandInTheOrderOfTheOptionsBetweenArgumentsAndHelp) {
  EXPECT_EQ(headings(make_program().verbs[0]), (std::vector<std::string>{kArguments, "Output", "Run", kHelp}));
}

TEST(OptionHead, HasNamesAndValue) {
  EXPECT_EQ(option_head({{"-o", "--output"}, "FILE", "", "", {}}), "-o, --output FILE");
  EXPECT_EQ(option_head({{"--all"}, "", "", "", {}}), "--all");
  EXPECT_EQ(option_head({{}, "model FILE", "", "", {}}), "model FILE");
  EXPECT_EQ(argument_name({{}, "model FILE", "", "", {}}), "model");
}

TEST(NoteLines, ArePartedIntoHeadsAndProse) {
  const std::vector<NoteLine> lines = note_lines("Words:\n  mwst    least weight W\n\n  one paragraph,\n  two lines\n");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].text, "Words:");
  EXPECT_EQ(lines[1].head, "mwst");
  EXPECT_EQ(lines[1].text, "least weight W");
  EXPECT_EQ(lines[2].head, "");
  EXPECT_EQ(lines[2].text, "  one paragraph, two lines");
}

TEST(NoteLines, OfNothingAreNone) { EXPECT_TRUE(note_lines("").empty()); }

}  // namespace
}  // namespace espalier::manual::detail
