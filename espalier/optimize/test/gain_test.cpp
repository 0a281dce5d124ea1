#include "espalier/optimize/detail/gain.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "espalier/optimize/test/problems.hpp"

namespace espalier::optimize::detail {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool gains(const Design& before, const Design& now) {
  SearchState state;
  state.best = now;
  state.gain = {1, {before}};
  return is_gain(1, state);
}

Design at(double goal, double excess = 0) { return {{0}, {goal}, excess}; }

TEST(Gain, OfOneGoalIsAFallByMoreThanAMillionthOfItself) {
  EXPECT_TRUE(gains(at(2), at(2 - 3e-6)));
  EXPECT_FALSE(gains(at(2), at(2 - 1e-6)));
  EXPECT_FALSE(gains(at(2), at(2.5)));
  EXPECT_TRUE(gains(at(-2), at(-2 - 3e-6))) << "what is made large is negative";
  EXPECT_FALSE(gains(at(-2), at(-2 - 1e-6)));
  EXPECT_TRUE(gains(at(0), at(-1e-300)));
  EXPECT_FALSE(gains(at(1e-12), at(1e-12)));
  EXPECT_TRUE(gains(at(kNan), at(5)));
}

TEST(Gain, LimitsComeFirst) {
  EXPECT_TRUE(gains(at(1, 0.5), at(9, 0.25)));
  EXPECT_FALSE(gains(at(9, 0.5), at(1, 0.5))) << "beyond the limits goals do not count";
  EXPECT_TRUE(gains(at(1, 1e-9), at(9, 0))) << "it holds them at last";
  EXPECT_FALSE(gains(at(9, 0), at(1, 1e-9)));
}

// A front from (0, 10) to (20, 0): a step is 0.2 in the first goal and 0.1 in the second.
TEST(Gain, OfSeveralGoalsIsADesignBeyondTheFront) {
  SearchState state;
  const Design left = {{0}, {0, 10}, 0}, right = {{1}, {20, 0}, 0};
  state.gain = {1, {left, left, right}};
  const auto gains = [&](double first, double second) {
    state.archive = {left, right, {{2}, {first, second}, 0}};
    return is_gain(2, state);
  };
  EXPECT_FALSE(gains(0.1, 9.95)) << "within a step of the left end in both goals";
  EXPECT_TRUE(gains(0.1, 9.85));
  EXPECT_TRUE(gains(10, 5)) << "far from both";
  EXPECT_TRUE(gains(-0.3, 11)) << "better than any in the first goal";
  EXPECT_FALSE(gains(-0.1, 11));
  state.gain = {1, {left}};
  EXPECT_TRUE(is_gain(2, state)) << "the first that hold the limits";
}

TEST(Gain, IsMeasuredFromTheLastOne) {
  SearchState state;
  for (int k = 1; k <= 10; ++k) {
    state.generation = k;
    state.best = at(1 - 4e-7 * k);
    keep_gain(1, state);
  }
  // 4e-7 each: too little alone, but every third generation enough.
  EXPECT_EQ(state.gain.generation, 10);
  EXPECT_EQ(state.gain.designs, std::vector<Design>{state.best});
}

}  // namespace
}  // namespace espalier::optimize::detail
