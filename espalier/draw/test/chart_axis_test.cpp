#include "espalier/draw/detail/chart_axis.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace espalier::draw {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

// Without ends of its own an axis leaves room beside the data, but none below 0 where no value is.
TEST(ChartAxis, RoomIsLeftBesideTheData) {
  const auto ends = [](const Axis& axis, double low, double high) {
    detail::Range range;
    range.logarithmic = axis.logarithmic;
    range.add(low);
    range.add(high);
    const detail::Scale scale(axis, range, 0, 1, 0.1);
    return std::pair(scale.low(), scale.high());
  };
  const auto [low, high] = ends({}, 20, 30);
  EXPECT_DOUBLE_EQ(low, 19);
  EXPECT_DOUBLE_EQ(high, 31);
  EXPECT_EQ(ends({}, 0.5, 10.5).first, 0);
  EXPECT_DOUBLE_EQ(ends({}, -1, 9).first, -2);
  // One value alone: a tenth of it, or a factor of two, on both sides.
  EXPECT_DOUBLE_EQ(ends({}, 5, 5).second, 5.5);
  EXPECT_EQ(ends({}, 0, 0), std::pair(-1.0, 1.0));
  EXPECT_EQ(ends({"", true, 0, 0}, 8, 8), std::pair(4.0, 16.0));
}

}  // namespace
}  // namespace espalier::draw
