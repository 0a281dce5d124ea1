#include "espalier/study/detail/quantity_reading.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace espalier::study::detail {
namespace {

using formats::TuningGoal;
using Statistic = TuningGoal::Statistic;

TuningGoal goal_of(Statistic statistic) {
  TuningGoal goal;
  goal.kind = TuningGoal::Kind::kQuantity;
  goal.statistic = statistic;
  return goal;
}

// Of the frames 0: 3, 1: -2, 2: 5, 4: 1.
double statistic_of(const TuningGoal& goal) {
  QuantityReading reading(goal);
  reading.see(0, 3);
  reading.see(1, -2);
  reading.see(2, 5);
  reading.see(4, 1);
  return reading.statistic();
}

TEST(QuantityReading, IsOfAllFrames) {
  EXPECT_EQ(statistic_of(goal_of(Statistic::kEnd)), 1);
  EXPECT_EQ(statistic_of(goal_of(Statistic::kMaximum)), 5);
  EXPECT_EQ(statistic_of(goal_of(Statistic::kMinimum)), -2);
}

TEST(QuantityReading, ADistanceIsTheRootOfTheMeanSquare) {
  TuningGoal goal = goal_of(Statistic::kDistance);
  goal.times = {0, 1, 4};
  goal.values = {3, 1, 1};
  EXPECT_EQ(statistic_of(goal), std::sqrt(9.0 / 3)) << "rows at frames meet their values";
  // Half way from -2 to 5, a quarter of the way from 5 to 1 and three quarters.
  goal.times = {1.5, 2.5, 3.5};
  goal.values = {1.5, 4, 3};
  EXPECT_EQ(statistic_of(goal), std::sqrt((0 + 0 + 1) / 3.0));
  goal.times = {4.000000001};
  goal.values = {3};
  EXPECT_EQ(statistic_of(goal), 2) << "rounding has put the last frame before the last row";
}

TEST(QuantityReading, WithoutANumberThereIsNone) {
  for (const Statistic statistic : {Statistic::kEnd, Statistic::kMaximum, Statistic::kMinimum, Statistic::kDistance}) {
    TuningGoal goal = goal_of(statistic);
    goal.times = goal.values = {0};
    EXPECT_TRUE(std::isnan(QuantityReading(goal).statistic()));
    QuantityReading reading(goal);
    reading.see(0, 1);
    reading.see(1, std::numeric_limits<double>::quiet_NaN());
    reading.see(2, 1);
    EXPECT_TRUE(std::isnan(reading.statistic()));
    goal.at_most = 5;
    EXPECT_TRUE(std::isnan(goal_number(goal, reading.statistic()))) << "what is not known holds no limit";
  }
}

TEST(GoalNumber, IsSmallWhereTheWishIsFulfilled) {
  TuningGoal goal = goal_of(Statistic::kEnd);
  EXPECT_EQ(goal_number(goal, -3), -3);
  goal.maximise = true;
  EXPECT_EQ(goal_number(goal, -3), 3);
  goal = goal_of(Statistic::kEnd);
  goal.target = 2;
  goal.scale = 0.5;
  EXPECT_EQ(goal_number(goal, 2), 0);
  EXPECT_EQ(goal_number(goal, 1), 4);
  EXPECT_EQ(goal_number(goal, 3), 4);
  goal = goal_of(Statistic::kDistance);
  goal.scale = 0.5;
  EXPECT_EQ(goal_number(goal, 1), 4);
}

TEST(GoalNumber, OfALimitIsHowFarItIsMissed) {
  TuningGoal goal = goal_of(Statistic::kMaximum);
  goal.at_most = 100;
  goal.scale = 50;
  EXPECT_EQ(goal_number(goal, 99), 0);
  EXPECT_EQ(goal_number(goal, 100), 0);
  EXPECT_EQ(goal_number(goal, 125), 0.5);
  goal.at_least = 10;
  EXPECT_EQ(goal_number(goal, 5), 0.1);
  EXPECT_EQ(goal_number(goal, 50), 0);
}

}  // namespace
}  // namespace espalier::study::detail
