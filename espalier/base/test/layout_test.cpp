#include <gtest/gtest.h>

#include "espalier/base/text.hpp"

namespace espalier {
namespace {

TEST(Wrapped, LinesHangUnderTheFirstWordOfTheText) {
  EXPECT_EQ(wrapped("note: ", "one two three", 13), "note: one two\n      three\n");
  EXPECT_EQ(wrapped("note: ", "one two three", 12), "note: one\n      two\n      three\n");
  EXPECT_EQ(wrapped("", "  one \n two ", 80), "one two\n");
}

TEST(Wrapped, AWordThatIsLongerThanTheLineStaysWhole) {
  EXPECT_EQ(wrapped("", "a /very/long/path b", 6), "a\n/very/long/path\nb\n");
  EXPECT_EQ(wrapped("> ", "", 6), "> \n");
}

TEST(Table, ColumnsAreAsWideAsTheirWidestCell) {
  EXPECT_EQ(table({"name", "is"}, {{"crank", "a link that turns"}, {"b", "x"}}, 24),
            "  name   is\n"
            "  crank  a link that\n"
            "         turns\n"
            "  b      x\n");
}

TEST(Table, ANameFillsItsCellAndNoLineOfItsOwn) {
  EXPECT_EQ(table({"n", "t"}, {{"a\nb", "c"}}, 40).find("a\nb"), std::string::npos);
}

}  // namespace
}  // namespace espalier
