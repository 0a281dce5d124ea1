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

TEST(ModePage, TheMotionStandsBetweenHeadlineAndCharts) {
  const std::string html = draw_html(ModePage{"a bar", "text", bar(), {two_curves()}, "espalier modes bar.yaml"});
  const std::size_t head = html.find("</h1>"), canvas = html.find("<canvas>"), chart = html.find("<figure>");
  ASSERT_NE(canvas, std::string::npos);
  EXPECT_LT(head, canvas);
  EXPECT_LT(canvas, chart);
  // A name that ends a script does not end this one.
  EXPECT_EQ(occurrences(html, "</script>"), 1u);
  EXPECT_MENTIONS(html, "\\u003c/script>");
}

TEST(ModePage, WithoutShapesIsThePageOfItsCharts) {
  const ModePage page{"a bar", "text", {}, {two_curves()}, "espalier modes bar.yaml"};
  EXPECT_EQ(draw_html(page), draw_html(ChartPage{page.title, page.text, page.charts, page.command}));
}

}  // namespace
}  // namespace espalier::draw
