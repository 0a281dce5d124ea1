#include "espalier/base/text.hpp"

#include <gtest/gtest.h>

namespace espalier::shop {

enum class Colour { kRed, kGreen, kUnnamed };
constexpr Words<Colour, 2> words(Colour) { return {{{"red", Colour::kRed}, {"green", Colour::kGreen}}}; }

namespace {

TEST(Words, GoBothWays) {
  static_assert(std::string_view(word_of(Colour::kGreen)) == "green");
  EXPECT_EQ(find_word<Colour>("green"), Colour::kGreen);
  EXPECT_EQ(find_word<Colour>(word_of(Colour::kRed)), Colour::kRed);
}

TEST(Words, WhatIsNotInTheListHasNone) {
  EXPECT_STREQ(word_of(Colour::kUnnamed), "");
  for (const char* text : {"", "Red", "re", "redd"}) EXPECT_FALSE(find_word<Colour>(text)) << text;
}

TEST(Words, AreListedForMessages) { EXPECT_EQ(all_words<Colour>(), "red, green"); }

}  // namespace
}  // namespace espalier::shop
