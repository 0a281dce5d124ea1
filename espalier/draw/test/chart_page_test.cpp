#include <gtest/gtest.h>

#include "espalier/draw/test/charts.hpp"
#include "tests/support/expect.hpp"

namespace espalier::draw {
namespace {

TEST(DrawPage, HoldsItsChartsItsTextAndItsCommand) {
  const std::string html = draw_html({"two charts", "a < b", {two_curves(), two_curves()}, "espalier modes x.yaml"});
  EXPECT_EQ(occurrences(html, "<svg xmlns"), 2U);
  EXPECT_NE(html.find("<pre>a &lt; b</pre>"), std::string::npos);
  EXPECT_NE(html.find("<code>espalier modes x.yaml</code>"), std::string::npos);
  EXPECT_EQ(html.find("src="), std::string::npos);
}

// What is not given leaves no empty element behind.
TEST(DrawPage, LeavesOutWhatIsNotGiven) {
  const std::string html = draw_html(ChartPage{.title = "a & b\x01", .text = "", .charts = {}, .command = ""});
  EXPECT_MENTIONS(html, "<title>a &amp; b");
  EXPECT_EQ(occurrences(html, "<pre>") + occurrences(html, "<figure>") + occurrences(html, "<footer>"), 0u);
  EXPECT_EQ(occurrences(html, "\x01"), 0u);
}

}  // namespace
}  // namespace espalier::draw
