// Functions given by rows, alone and in formulas.

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/model/expression.hpp"

namespace espalier::model {
namespace {

using Between = Table::Between;
using Outside = Table::Outside;
using Row = std::pair<double, double>;

Table table_of(const std::vector<Row>& rows, Between between, Outside outside) {
  std::vector<double> argument, value;
  for (const auto& [x, y] : rows) {
    argument.push_back(x);
    value.push_back(y);
  }
  const Result<Table> table = make_table(argument, value, between, outside);
  EXPECT_TRUE(table) << table.error().message;
  return table.value_or(Table());
}

// One period of a sine, in unequal steps.
std::vector<Row> sine(int steps) {
  std::vector<Row> rows;
  for (int k = 0; k <= steps; ++k) {
    const double s = static_cast<double>(k) / steps;
    const double x = 2 * std::numbers::pi * (s + 0.05 * std::sin(2 * std::numbers::pi * s));
    rows.emplace_back(x, k == steps ? 0 : std::sin(x));
  }
  return rows;
}

// A cubic that is at rest at both ends is the smooth step.
TEST(Table, TwoRowsThatHoldAreASmoothStep) {
  const Table table = table_of({{1, 0}, {3, 10}}, Between::kCubic, Outside::kHold);
  for (const double s : {0.0, 0.125, 0.5, 0.75}) {
    const auto [value, first, second] = table_at(table, 1 + 2 * s);
    EXPECT_NEAR(value, 10 * s * s * (3 - 2 * s), 1e-14);
    EXPECT_NEAR(first, 10 * 6 * s * (1 - s) / 2, 1e-14);
    EXPECT_NEAR(second, 10 * (6 - 12 * s) / 4, 1e-14);
  }
}

// The mean of what is in front of a point and behind it is that of a function without jumps.
TEST(Table, CubicsHaveNoCornersAndNoJumpsOfCurvature) {
  const double tiny = 1e-7;
  for (const Outside outside : {Outside::kHold, Outside::kStraight, Outside::kRepeat}) {
    const std::vector<Row> rows = {{0, 1}, {0.5, 3}, {0.75, -2}, {2, 0}, {3, 1}};
    const Table table = table_of(rows, Between::kCubic, outside);
    for (const auto& [x, y] : rows) {
      const auto front = table_at(table, x - tiny), behind = table_at(table, x + tiny);
      EXPECT_NEAR(table_at(table, x)[0], y, 1e-14);
      EXPECT_NEAR(front[0], behind[0], 1e-5);
      EXPECT_NEAR(front[1], behind[1], 1e-4) << "corner at " << x;
      // What holds its value is at rest outside, and accelerates within.
      const bool is_end = x == rows.front().first || x == rows.back().first;
      if (outside == Outside::kHold && is_end) continue;
      EXPECT_NEAR(front[2], behind[2], 1e-3) << "jump at " << x;
    }
  }
}

TEST(Table, AStraightLineIsOneForEver) {
  for (const Between between : {Between::kLinear, Between::kCubic}) {
    const Table table = table_of({{0, 1}, {1, 3}, {1.5, 4}, {4, 9}}, between, Outside::kStraight);
    for (const double x : {-7.0, 0.0, 0.3, 1.0, 2.2, 4.0, 100.0}) {
      const auto [value, first, second] = table_at(table, x);
      EXPECT_NEAR(value, 1 + 2 * x, 1e-13);
      EXPECT_NEAR(first, 2, 1e-14);
      EXPECT_NEAR(second, 0, 1e-14);
    }
  }
}

TEST(Table, WhatHoldsStandsStillOutside) {
  const std::vector<Row> rows = {{0, 1}, {1, 3}};
  for (const Between between : {Between::kLinear, Between::kCubic}) {
    const Table table = table_of(rows, between, Outside::kHold);
    EXPECT_EQ(table_at(table, -1e9), (std::array<double, 3>{1, 0, 0}));
    EXPECT_EQ(table_at(table, 1), (std::array<double, 3>{3, 0, 0}));
    EXPECT_EQ(table_at(table, std::numeric_limits<double>::infinity()), (std::array<double, 3>{3, 0, 0}));
  }
}

// Splines of smooth functions err with the fourth power of the step; with one period many times over, always alike.
TEST(Table, APeriodOfASineComesBack) {
  double error[2] = {0, 0};
  for (int fine = 0; fine < 2; ++fine) {
    const Table table = table_of(sine(fine == 0 ? 16 : 32), Between::kCubic, Outside::kRepeat);
    for (double x = -20; x < 20; x += 0.1)
      error[fine] = std::max(error[fine], std::abs(table_at(table, x)[0] - std::sin(x)));
  }
  EXPECT_LT(error[0], 1e-3);
  EXPECT_GT(error[0] / error[1], 12);
  EXPECT_LT(error[0] / error[1], 24);
  const Table short_period = table_of({{0, 1}, {1, -1}, {2, 1}}, Between::kCubic, Outside::kRepeat);
  EXPECT_NEAR(table_at(short_period, 1)[1], 0, 1e-15) << "even about its least value";
  EXPECT_NEAR(table_at(short_period, 0.5)[0], table_at(short_period, 7.5)[0], 1e-14);
}

TEST(Table, LinesHaveTheSlopeBehindTheirCorner) {
  const Table table = table_of({{0, 0}, {1, 2}, {3, 0}}, Between::kLinear, Outside::kHold);
  EXPECT_EQ(table_at(table, 0.25), (std::array<double, 3>{0.5, 2, 0}));
  EXPECT_EQ(table_at(table, 1), (std::array<double, 3>{2, -1, 0}));
  EXPECT_EQ(table_at(table, 2), (std::array<double, 3>{1, -1, 0}));
}

TEST(Table, NoNumberStaysNone) {
  for (const Outside outside : {Outside::kHold, Outside::kStraight, Outside::kRepeat}) {
    const Table table = table_of({{0, 1}, {1, 2}, {2, 1}}, Between::kCubic, outside);
    EXPECT_TRUE(std::isnan(table_at(table, std::numeric_limits<double>::quiet_NaN())[0]));
  }
}

TEST(Table, RefusesRowsThatAreNoFunction) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto error_of = [](std::vector<double> x, std::vector<double> y, Outside outside = Outside::kHold) {
    const Result<Table> table = make_table(std::move(x), std::move(y), Between::kCubic, outside);
    return table ? std::string("made") : table.error().message;
  };
  EXPECT_EQ(error_of({0}, {1}), "a table needs two rows at least");
  EXPECT_EQ(error_of({0, 1}, {1}), "a table needs two rows at least");
  EXPECT_EQ(error_of({0, 1}, {1, nan}), "the numbers of a table must be finite");
  EXPECT_EQ(error_of({0, 0}, {1, 1}), "the argument of a table must ascend from row to row");
  EXPECT_EQ(error_of({0, 5e-324}, {0, 1e300}), "the rows of a table lie too close for the change of its value");
  EXPECT_NE(error_of({0, 1}, {1, 2}, Outside::kRepeat).find("not 1 and 2; add the row"), std::string::npos);
  EXPECT_EQ(error_of({0, 1}, {1, 1 + 1e-12}, Outside::kRepeat).substr(0, 26), "a table that repeats must ");
  EXPECT_EQ(error_of({0, 1, 2}, {1, 5, 1 + 1e-12}, Outside::kRepeat), "made") << "rounding of whoever wrote it";
}

// Jets through a table follow the chain rule.
TEST(Table, StandsInFormulas) {
  const auto sines = std::make_shared<const Table>(table_of(sine(64), Between::kCubic, Outside::kRepeat));
  const NamedTable tables[] = {{"wave", sines}};
  const Result<Expression> formula = parse_expression("2*wave(3*t^2) - wave(1)", {}, {}, tables);
  ASSERT_TRUE(formula) << formula.error().message;
  EXPECT_EQ(formula->tables.size(), 1u);
  EXPECT_FALSE(is_constant(*formula));
  for (const double t : {0.1, 0.8, 2.5}) {
    const Jet jet = evaluate_jet(*formula, t);
    const double x = 3 * t * t;
    EXPECT_NEAR(jet.value, 2 * std::sin(x) - std::sin(1), 2e-5);
    EXPECT_NEAR(jet.rate, 2 * std::cos(x) * 6 * t, 2e-3);
    EXPECT_NEAR(jet.second, 2 * (-std::sin(x) * 36 * t * t + std::cos(x) * 6), 0.5);
  }
  EXPECT_TRUE(is_constant(*parse_expression("wave(2)", {}, {}, tables)));
  const std::string error = parse_expression("wave", {}, {}, tables).error().message;
  EXPECT_NE(error.find("'(' and what the table is asked for"), std::string::npos) << error;
}

}  // namespace
}  // namespace espalier::model
