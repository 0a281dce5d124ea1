#include "espalier/base/text.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(OptionWords, EachDoorSpellsFieldsItsOwnWay) {
  const std::string text = "`max_length` is -1; `objective` tree alone has a use for it";
  EXPECT_EQ(word_options(text, dashed_option), "--max-length is -1; --objective tree alone has a use for it");
  EXPECT_EQ(word_options(text, [](std::string_view name) { return std::string(name) + "="; }),
            "max_length= is -1; objective= tree alone has a use for it");
}

TEST(OptionWords, TextOfAUserStaysAsItIs) {
  for (const char* text : {"", "no names", "`", "a ` alone", "`Two Words`", "``", "`--beta`", "`a`b`"}) {
    const std::string with_name = std::string(text) == "`a`b`" ? "--ab`" : text;
    EXPECT_EQ(word_options(text, dashed_option), with_name) << text;
  }
  EXPECT_EQ(word_options("`Not one`beta`", dashed_option), "`Not one--beta");
}

}  // namespace
}  // namespace espalier
