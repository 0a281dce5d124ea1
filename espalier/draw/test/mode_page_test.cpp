#include <complex>
#include <optional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "espalier/draw/pages.hpp"
#include "espalier/draw/test/charts.hpp"
#include "tests/support/expect.hpp"

namespace espalier::draw {
namespace {

using Eigen::Vector3cd;
using Eigen::Vector3d;

// A bar from a support to a free end that moves up and back at once.
Motion bar() {
  Motion motion;
  motion.points = {Vector3d(0, 0, 0), Vector3d(1.0 / 3, 2, -1e-9)};
  motion.fixed = {true, false};
  motion.lines.push_back({.points = {0, 1}, .name = "beam", .rigid = false, .joint = false});
  motion.lines.push_back({.points = {1}, .name = "</script>", .rigid = true, .joint = true});
  const Vector3cd u({0, 0.25}, {-0.5, 0}, {1, -1.0 / 3});
  motion.shapes.push_back({.name = "1: 2 Hz", .frequency = 2, .decay = 0.5, .displacement = {Vector3cd::Zero(), u}});
  return motion;
}

TEST(MotionJson, HoldsRealAndImaginaryPartsOneAfterTheOther) {
  const nlohmann::json json = nlohmann::json::parse(motion_json(bar()));
  EXPECT_EQ(json["up"], 2);
  EXPECT_EQ(json["fixed"], (std::vector<bool>{true, false}));
  EXPECT_EQ(json["modes"][0]["frequency"], 2.0);
  EXPECT_EQ(json["modes"][0]["decay"], 0.5);
  EXPECT_EQ(json["modes"][0]["displacement"][1], (std::vector<double>{0, 0.25, -0.5, 0, 1, -0.333333}));
}

// Six digits: a screen shows no more.
TEST(MotionJson, RoundsPlacesToSixDigits) {
  const nlohmann::json json = nlohmann::json::parse(motion_json(bar()));
  EXPECT_EQ(json["points"][1], (std::vector<double>{0.333333, 2, -1e-9}));
}

TEST(MotionJson, SaysWhatALineIs) {
  const nlohmann::json json = nlohmann::json::parse(motion_json(bar()));
  EXPECT_EQ(json["lines"][0]["kind"], "elastic");
  EXPECT_EQ(json["lines"][1]["kind"], "joint");
  EXPECT_EQ(json["lines"][0]["points"], (std::vector<int>{0, 1}));
}

// What view pages hold of it.
TEST(MotionJson, ComesBack) {
  Motion given = bar();
  given.shapes[0].strain = {0.75, 0};
  const std::optional<Motion> motion = read_motion(motion_json(given));
  ASSERT_TRUE(motion.has_value());
  EXPECT_EQ(motion_json(*motion), motion_json(given));
  EXPECT_EQ(motion->shapes[0].displacement[1].y(), std::complex<double>(-0.5, 0));
  EXPECT_EQ(motion->lines[1].name, "</script>");
}

TEST(MotionJson, OthersAreNone) {
  nlohmann::json json = nlohmann::json::parse(motion_json(bar()));
  for (const char* key : {"up", "points", "fixed", "lines", "modes"}) {
    nlohmann::json less = json;
    less.erase(key);
    EXPECT_FALSE(read_motion(less.dump())) << key;
  }
  json["lines"][0]["points"][1] = 2;
  EXPECT_FALSE(read_motion(json.dump())) << "a point that is not there";
  EXPECT_FALSE(read_motion("{"));
  EXPECT_FALSE(read_motion("[]"));
}

TEST(ModePage, HoldsTheMotionTheChartsAndTheReport) {
  const std::string html = draw_html(ModePage{"a bar", "a < b", bar(), {two_curves()}, "espalier modes bar.yaml"});
  EXPECT_MENTIONS(html, "id=\"part-three\"");
  EXPECT_LT(html.find("<figure>"), html.find("<pre>a &lt; b</pre>"));
  // What names of lines say is in the packed part: nothing that ends a script.
  EXPECT_EQ(html.find("</script>;"), std::string::npos);
}

TEST(ModePage, WithoutShapesIsThePageOfItsCharts) {
  const ModePage page{"a bar", "text", {}, {two_curves()}, "espalier modes bar.yaml"};
  EXPECT_EQ(draw_html(page), draw_html(ChartPage{page.title, page.text, page.charts, page.command}));
}

}  // namespace
}  // namespace espalier::draw
