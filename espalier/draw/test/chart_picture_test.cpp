#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <tinyxml2.h>

#include "espalier/draw/test/charts.hpp"

namespace espalier::draw {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_xml(const std::string& text) {
  tinyxml2::XMLDocument document;
  return document.Parse(text.c_str(), text.size()) == tinyxml2::XML_SUCCESS;
}

TEST(DrawChart, IsOneDocumentWithItsWords) {
  const std::string svg = draw_svg(two_curves());
  EXPECT_TRUE(is_xml(svg));
  for (const char* word : {"beams &amp; &lt;masses&gt;", "frequency [Hz]", "amplitude [m/N]", ">line<", ">dots<",
                           "forbidden", "limit", "prefers-color-scheme:dark"}) {
    EXPECT_NE(svg.find(word), std::string::npos) << word;
  }
}

TEST(DrawChart, DotsSayTheirNumbers) {
  const std::string svg = draw_svg(two_curves());
  EXPECT_EQ(occurrences(svg, "<title>dots: "), 6U);
  EXPECT_NE(svg.find("<title>dots: 40, 0.06</title>"), std::string::npos);
  EXPECT_EQ(occurrences(svg, "<title>line: "), 100U);
}

TEST(DrawChart, NoNumberInterruptsALine) {
  Chart chart = two_curves();
  chart.curves.pop_back();
  const std::string svg = draw_svg(chart);
  const std::size_t begin = svg.rfind("<path class=\"c0 line\"");
  ASSERT_NE(begin, std::string::npos);
  EXPECT_EQ(occurrences(svg.substr(begin, svg.find("/>", begin) - begin), "M"), 2U);
}

TEST(DrawChart, SurvivesAnything) {
  EXPECT_TRUE(is_xml(draw_svg(Chart{})));
  Chart odd;
  odd.title = std::string("a\x01") + "b";
  odd.x = {"", true, -1, 3};
  odd.curves = {{"", {1, 2}, {kInfinity, kNan}, Curve::Style::kLineAndDots}, {"", {0, 1, 2}, {5}, Curve::Style::kLine}};
  odd.ground.columns = 3;
  EXPECT_TRUE(is_xml(draw_svg(odd)));
  Chart one;
  one.curves = {{"", {2}, {7}, Curve::Style::kDots}};
  EXPECT_EQ(occurrences(draw_svg(one), "<title>2, 7</title>"), 1U);
  Chart huge;
  huge.curves = {{"", {0, 1, 2}, {-1.7e308, 1.7e308, 3}, Curve::Style::kLine}};
  const std::string svg = draw_svg(huge);
  EXPECT_TRUE(is_xml(svg));
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(DrawChart, AGroundHasAColourScale) {
  Chart chart;
  chart.ground = {{-20, 0}, {0, 1200}, 40, 30, {}, "log |det|"};
  for (int k = 0; k < 1200; ++k) chart.ground.values.push_back(k % 40);
  const std::string svg = draw_svg(chart);
  EXPECT_TRUE(is_xml(svg));
  EXPECT_NE(svg.find("log |det|"), std::string::npos);
  EXPECT_LT(svg.size(), 200'000U);
}

}  // namespace
}  // namespace espalier::draw
