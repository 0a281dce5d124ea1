#include <gtest/gtest.h>

#include "espalier/draw/test/charts.hpp"
#include "tests/support/expect.hpp"

namespace espalier::draw {
namespace {

TEST(DrawPage, HoldsItsChartsItsTextAndItsCommand) {
  const std::string html = draw_html({"two charts", "a < b", {two_curves(), two_curves()}, "espalier modes x.yaml"});
  EXPECT_EQ(occurrences(html, "<svg xmlns"), 2U);
  EXPECT_NE(html.find("<pre>a &lt; b</pre>"), std::string::npos);
  // No scene, and nothing that would draw one.
  EXPECT_EQ(html.find("part-three"), std::string::npos);
  EXPECT_LT(html.size(), 120'000U);
  EXPECT_EQ(html.find("src="), std::string::npos);
}

// What is not given leaves no empty element behind.
TEST(DrawPage, LeavesOutWhatIsNotGiven) {
  const std::string html = draw_html(ChartPage{.title = "a & b\x01", .text = "", .charts = {}, .command = ""});
  EXPECT_MENTIONS(html, "<title>a &amp; b");
  EXPECT_EQ(occurrences(html, "<pre>") + occurrences(html, "<figure>") + occurrences(html, "id=\"report\""), 0u);
  EXPECT_EQ(occurrences(html, "\x01"), 0u);
}

// A title that looks like a place of the page stays a title.
TEST(DrawPage, FillsInNothingIntoWhatItWasGiven) {
  const std::string html =
      draw_html(ChartPage{.title = "@STYLE@ @TITLE@", .text = "@PARTS@", .charts = {}, .command = ""});
  EXPECT_EQ(occurrences(html, "<h1 id=\"title\">@STYLE@ @TITLE@</h1>"), 1u);
  EXPECT_MENTIONS(html, "<pre>@PARTS@</pre>");
}

}  // namespace
}  // namespace espalier::draw
