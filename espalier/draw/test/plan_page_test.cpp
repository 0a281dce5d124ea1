#include <gtest/gtest.h>

#include "espalier/draw/pages.hpp"
#include "espalier/draw/test/plans.hpp"
#include "tests/support/expect.hpp"

namespace espalier::draw {
namespace {

TEST(PlanPage, ThePageNeedsNoOtherFile) {
  const std::string page = draw_plan_html(four_bar());
  EXPECT_EQ(occurrences(page, "http"), occurrences(page, "xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_EQ(occurrences(page, "src="), 0u);
  EXPECT_EQ(occurrences(page, "href="), 0u);
  EXPECT_MENTIONS(page, "const parent=[-1,0,1,0];");
  EXPECT_MENTIONS(page, "prefers-color-scheme:dark");
  // The cut joint in picture and table go by one key.
  EXPECT_EQ(occurrences(page, "data-k=\"3\" data-a=\"2\" data-b=\"3\""), 2u);
  EXPECT_MENTIONS(page, "<td>crank</td><td>ground</td><td>A</td>");
}

// A root has no joint; others have the distance from it: 1 and 2 joints.
TEST(PlanPage, TheTreeIsToldFromTheRootOutward) {
  const std::string page = draw_plan_html(four_bar());
  EXPECT_MENTIONS(page, "<tr><td>ground</td><td colspan=\"4\">root</td><td class=\"n\">0</td></tr>");
  EXPECT_MENTIONS(page,
                  "<tr><td>coupler</td><td>crank</td><td>B</td><td class=\"n\">1</td><td class=\"n\">1</td>"
                  "<td class=\"n\">2</td></tr>");
  EXPECT_LT(page.find("<td>crank</td><td>ground</td>"), page.find("<td>coupler</td><td>crank</td>"));
}

TEST(PlanPage, ATreeAloneHasNoTableOfCuts) {
  const std::string page = draw_plan_html(make({-1, 0, 1}, {}));
  EXPECT_EQ(occurrences(page, "<h2>Cut "), 0u);
  EXPECT_EQ(occurrences(page, "<h2>Bodies cut in two"), 0u);
  EXPECT_EQ(occurrences(page, "<h2>Tree"), 1u);
}

}  // namespace
}  // namespace espalier::draw
