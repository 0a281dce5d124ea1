#include "espalier/draw/chart.hpp"

#include <cmath>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <tinyxml2.h>

#include "espalier/draw/detail/chart_axis.hpp"
#include "espalier/draw/detail/chart_ground.hpp"

namespace espalier::draw {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

bool is_xml(const std::string& text) {
  tinyxml2::XMLDocument document;
  return document.Parse(text.c_str(), text.size()) == tinyxml2::XML_SUCCESS;
}

std::vector<std::string> labels(const Axis& axis, double low, double high) {
  detail::Range range;
  range.logarithmic = axis.logarithmic;
  range.add(low);
  range.add(high);
  std::vector<std::string> result;
  for (const detail::Tick& tick : detail::Scale(axis, range, 0, 500, 0).ticks(90)) {
    if (!tick.label.empty()) result.push_back(tick.label);
  }
  return result;
}

using Labels = std::vector<std::string>;

TEST(ChartAxis, TicksAreRound) {
  EXPECT_EQ(labels({}, 0, 1), (Labels{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
  EXPECT_EQ(labels({}, 0, 1200), (Labels{"0", "500", "1000"}));
  EXPECT_EQ(labels({}, -13, 34), (Labels{"-10", "0", "10", "20", "30"}));
  EXPECT_EQ(labels({}, 1000.001, 1000.0032), (Labels{"1000.001", "1000.0015", "1000.002", "1000.0025", "1000.003"}));
  EXPECT_EQ(labels({}, 0, 4.2e6), (Labels{"0", "10⁶", "2·10⁶", "3·10⁶", "4·10⁶"}));
}

TEST(ChartAxis, LogarithmicTicksArePowersOfTen) {
  const Axis axis{"", true, 0, 0};
  EXPECT_EQ(labels(axis, 1e-5, 1e4), (Labels{"10⁻⁴", "0.01", "1", "100", "10000"}));
  EXPECT_EQ(labels(axis, 3, 60), (Labels{"5", "10", "20", "50"}));
  EXPECT_EQ(labels(axis, 2, 5), (Labels{"2", "3", "4", "5"}));
}

TEST(ChartAxis, NumbersReadWell) {
  EXPECT_EQ(detail::short_number(0), "0");
  EXPECT_EQ(detail::short_number(-12.5), "-12.5");
  EXPECT_EQ(detail::short_number(1e7), "10⁷");
  EXPECT_EQ(detail::short_number(-1e-9), "-10⁻⁹");
  EXPECT_EQ(detail::short_number(2.5e12), "2.5·10¹²");
  EXPECT_EQ(detail::short_number(9.999999e8), "10⁹");
}

TEST(ChartAxis, EndsAreWhereTheyAreSaid) {
  detail::Range range;
  range.add(3);
  const detail::Scale scale({"", false, 1, 5}, range, 100, 300, 0.05);
  EXPECT_DOUBLE_EQ(scale(1), 100);
  EXPECT_DOUBLE_EQ(scale(3), 200);
  EXPECT_TRUE(std::isnan(scale(kNan)));
  const detail::Scale logarithmic({"", true, 1, 100}, range, 0, 10, 0.05);
  EXPECT_DOUBLE_EQ(logarithmic(10), 5);
  EXPECT_TRUE(std::isnan(logarithmic(0)));
}

RC_GTEST_PROP(ChartAxis, TicksLieInsideAndAreFew, (int a, int b, int power, bool logarithmic)) {
  const double unit = std::pow(10.0, std::abs(power) % 20 - 10);
  double low = unit * a, high = unit * b;
  RC_PRE(a != b);
  if (logarithmic) {
    low = unit * (1 + std::abs(static_cast<double>(a)));
    high = unit * (1 + std::abs(static_cast<double>(b)));
  }
  detail::Range range;
  range.logarithmic = logarithmic;
  range.add(low);
  range.add(high);
  const detail::Scale scale({"", logarithmic, 0, 0}, range, 0, 800, 0.05);
  int named = 0;
  double last = -kInfinity;
  for (const detail::Tick& tick : scale.ticks(80)) {
    RC_ASSERT(scale(tick.value) >= -1e-3 && scale(tick.value) <= 800 + 1e-3);
    RC_ASSERT(tick.value > last);
    last = tick.value;
    if (!tick.label.empty()) ++named;
  }
  RC_ASSERT(named >= 1);
  RC_ASSERT(named <= 12);
}

Chart two_curves() {
  Chart chart;
  chart.title = "beams & <masses>";
  chart.x.label = "frequency [Hz]";
  chart.y = {"amplitude [m/N]", true, 0, 0};
  Curve line;
  line.name = "line";
  Curve dots;
  dots.name = "dots";
  dots.style = Curve::Style::kDots;
  for (int k = 0; k <= 100; ++k) {
    line.x.push_back(k);
    line.y.push_back(k == 50 ? kNan : 1 / (1 + std::pow(0.1 * k - 3, 2)));
    if (k % 20 != 0) continue;
    dots.x.push_back(k);
    dots.y.push_back(0.02 + 1e-3 * k);
  }
  chart.curves = {line, dots};
  chart.bands = {{"forbidden", 60, 80, false}, {"limit", 0.5, 0.5, true}};
  return chart;
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

TEST(DrawChart, NeighboursOfOneColourAreOneBox) {
  Ground ground;
  ground.x = {0, 4};
  ground.y = {0, 2};
  ground.columns = 4;
  ground.rows = 2;
  ground.values = {0, 0,    1, 1,  //
                   0, kNan, 0, 1};
  detail::Range range;
  range.add(0);
  range.add(4);
  const detail::Scale scale({}, range, 0, 400, 0);
  const std::string text = detail::ground_elements(ground, scale, scale);
  // Row by row: two boxes; then one, a blank, one, one.
  EXPECT_EQ(occurrences(text, "M"), 5U);
  EXPECT_EQ(occurrences(text, "<path"), 2U);
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

TEST(DrawPage, HoldsItsChartsItsTextAndItsCommand) {
  const std::string html = draw_html({"two charts", "a < b", {two_curves(), two_curves()}, "espalier modes x.yaml"});
  EXPECT_EQ(occurrences(html, "<svg xmlns"), 2U);
  EXPECT_NE(html.find("<pre>a &lt; b</pre>"), std::string::npos);
  EXPECT_NE(html.find("<code>espalier modes x.yaml</code>"), std::string::npos);
  EXPECT_EQ(html.find("src="), std::string::npos);
}

}  // namespace
}  // namespace espalier::draw
