#include "espalier/draw/detail/chart_ground.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "espalier/draw/test/words.hpp"
#include "tests/support/expect.hpp"

namespace espalier::draw {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

detail::Scale pixels_of(double high) {
  detail::Range range;
  range.add(0);
  range.add(high);
  return detail::Scale({}, range, 0, 400, 0);
}

TEST(ChartGround, NeighboursOfOneColourAreOneBox) {
  Ground ground;
  ground.x = {0, 4};
  ground.y = {0, 2};
  ground.columns = 4;
  ground.rows = 2;
  ground.values = {0, 0,    1, 1,  //
                   0, kNan, 0, 1};
  const detail::Scale scale = pixels_of(4);
  const std::string text = detail::ground_elements(ground, scale, scale);
  // Row by row: two boxes; then one, a blank, one, one.
  EXPECT_EQ(occurrences(text, "M"), 5U);
  EXPECT_EQ(occurrences(text, "<path"), 2U);
}

// Viridis: its first and its last colour. The lowest value is in the lower left corner of the rectangle.
TEST(ChartGround, ColoursGrowFromTheLowestValueToTheHighest) {
  const Ground ground{.x = {0, 2}, .y = {0, 1}, .columns = 2, .rows = 1, .values = {-3, 5}, .label = ""};
  const std::string text = detail::ground_elements(ground, pixels_of(4), pixels_of(1));
  EXPECT_MENTIONS(text, "fill=\"#440154\" d=\"M0.0 ");
  EXPECT_MENTIONS(text, "fill=\"#fde725\" d=\"M100.0 ");
}

TEST(ChartGround, OneValueEverywhereIsTheMiddleOfTheScale) {
  const Ground ground{.x = {0, 1}, .y = {0, 1}, .columns = 1, .rows = 1, .values = {7}, .label = ""};
  const std::string text = detail::ground_elements(ground, pixels_of(1), pixels_of(1));
  EXPECT_EQ(occurrences(text, "<path"), 1u);
  EXPECT_EQ(occurrences(text, "#440154") + occurrences(text, "#fde725"), 0u);
}

TEST(ChartGround, TheRangeLeavesOutWhatIsNoNumber) {
  Ground ground;
  ground.values = {kNan, 2, -1, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(detail::value_range(ground).low, -1);
  EXPECT_EQ(detail::value_range(ground).high, 2);
}

// 64 shades from the bottom up, the highest on top, with numbers beside them.
TEST(ChartGround, TheScaleStandsUpright) {
  const Ground ground{.x = {0, 1}, .y = {0, 1}, .columns = 2, .rows = 1, .values = {0, 10}, .label = "a < b"};
  const std::string text = detail::colour_scale(ground, 50, 100, 320);
  EXPECT_EQ(occurrences(text, "<rect"), 64u);
  EXPECT_MENTIONS(text, "fill=\"#440154\" x=\"50.0\" y=\"415.00\"");
  EXPECT_MENTIONS(text, "fill=\"#fde725\" x=\"50.0\" y=\"100.00\"");
  EXPECT_MENTIONS(text, "y=\"424.0\">0</text>");
  EXPECT_MENTIONS(text, "y=\"104.0\">10</text>");
  EXPECT_MENTIONS(text, "a &lt; b");
}

}  // namespace
}  // namespace espalier::draw
