#include <algorithm>

#include <gtest/gtest.h>

#include "espalier/base/text.hpp"

namespace espalier {
namespace {

TEST(Wrapped, LaterLinesStandUnderTheFirst) {
  EXPECT_EQ(wrapped("cut  ", "one two three", 12), "cut  one two\n     three\n");
  EXPECT_EQ(wrapped("cut  ", "one two three", 11), "cut  one\n     two\n     three\n") << "12 columns are too many";
  EXPECT_EQ(wrapped("", "  one\n\ttwo ", 80), "one two\n") << "white space is no text";
  EXPECT_EQ(wrapped("- ", "", 80), "- \n");
}

// A path that was cut could not be copied.
TEST(Wrapped, AWordLongerThanALineStaysWhole) {
  EXPECT_EQ(wrapped("at ", "to /a/very/long/path now", 10), "at to\n   /a/very/long/path\n   now\n");
}

TEST(Table, ColumnsAreAsWideAsTheirWidestCell) {
  EXPECT_EQ(table({"joint", "N"}, {{"A", "1"}, {"slider", "12"}}, 80), "  joint   N\n  A       1\n  slider  12\n");
}

TEST(Table, TheLastColumnIsWrappedUnderItself) {
  EXPECT_EQ(table({"n", "what"}, {{"1", "one two three"}}, 12), "  n  what\n  1  one two\n     three\n");
}

// A name of two lines, or one that moves the cursor, would break the row.
TEST(Table, ACellFillsOneLine) {
  const std::string text = table({"n", "what"}, {{"a\nb", "c"}}, 80);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
}

}  // namespace
}  // namespace espalier
