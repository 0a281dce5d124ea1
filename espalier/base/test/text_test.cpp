#include "espalier/base/text.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"

namespace espalier {
namespace {

TEST(ParseNumber, TakesDecimalNumbersAsAWhole) {
  EXPECT_EQ(parse_number("1"), 1.0);
  EXPECT_EQ(parse_number("+1.5"), 1.5);
  EXPECT_EQ(parse_number("-2.5e-3"), -2.5e-3);
  EXPECT_EQ(parse_number("1e-400"), 0.0);
}

TEST(ParseNumber, RefusesEverythingElse) {
  for (const char* text : {"", " ", "+", "-", "++1", "+-1", "1 ", " 1", "1x", "0x10", "nan", "inf", "-inf", "1e400",
                           "1,5", "1e", "--1", ".", "e5"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << "'" << text << "'";
  }
}

TEST(NumberText, ReadsBackAsTheSameDouble) {
  Random random(5);
  for (int k = 0; k < 10'000; ++k) {
    const auto value = std::bit_cast<double>(random.bits());
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(parse_number(number_text(value)), value);
  }
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-0.0), number_text(0.0));
  EXPECT_EQ(parse_number(number_text(std::numeric_limits<double>::denorm_min())),
            std::numeric_limits<double>::denorm_min());
}

TEST(SplitWords, CutsAtAnyWhiteSpace) {
  EXPECT_EQ(split_words(" a\tbc \n d "), (std::vector<std::string_view>{"a", "bc", "d"}));
  EXPECT_TRUE(split_words(" \t\n").empty());
  EXPECT_TRUE(split_words("").empty());
}

TEST(DidYouMean, OffersTheNearestNameAndNothingFarOff) {
  const std::vector<std::string> names = {"crank", "coupler", "rocker"};
  EXPECT_EQ(did_you_mean("rockr", names), "; did you mean 'rocker'?");
  EXPECT_EQ(did_you_mean("cranc", names), "; did you mean 'crank'?");
  EXPECT_EQ(did_you_mean("wheel", names), "");
  EXPECT_EQ(did_you_mean("x", {}), "");
}

TEST(DidYouMean, DoesNotTryWithVeryLongWords) {
  const std::vector<std::string> names = {std::string(1'000'000, 'a')};
  EXPECT_EQ(did_you_mean(std::string(1'000'000, 'a'), names), "");
}

TEST(InQuotes, MakesAnyBytesFitForAMessage) {
  EXPECT_EQ(in_quotes("rocker"), "'rocker'");
  EXPECT_EQ(in_quotes("a\nb\x7f"), "'a?b?'");
  EXPECT_EQ(in_quotes("gr\xc3\xbc\xc3\x9f"), "'gr\xc3\xbc\xc3\x9f'");
  EXPECT_EQ(in_quotes("\xff.\xc3"), "'?.?'");
  const std::string cut = in_quotes(std::string(1000, 'x'));
  EXPECT_LT(cut.size(), 70u);
  EXPECT_TRUE(cut.ends_with("...'"));
}

TEST(Counted, SaysOneLoopAndTwoLoops) {
  EXPECT_EQ(counted(1, "loop"), "1 loop");
  EXPECT_EQ(counted(0, "loop"), "0 loops");
  EXPECT_EQ(counted(2, "body", "bodies"), "2 bodies");
}

}  // namespace
}  // namespace espalier
