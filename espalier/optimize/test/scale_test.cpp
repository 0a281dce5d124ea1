#include "espalier/optimize/detail/scale.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/optimize/test/problems.hpp"

namespace espalier::optimize::detail {
namespace {

// -3 .. 5 evenly, and 1e-2 .. 1e4 by the logarithm.
Problem mixed() {
  Problem problem;
  problem.low = {-3, 1e-2};
  problem.high = {5, 1e4};
  problem.logarithmic = {false, true};
  return problem;
}

TEST(Scale, HalvesADifferenceOrAQuotient) {
  const Scale scale(mixed());
  EXPECT_EQ(scale.from_unit(0, 0.5), 1);
  EXPECT_NEAR(scale.from_unit(1, 0.5), 10, 1e-13);
  EXPECT_EQ(scale.to_unit(0, -1), 0.25);
  EXPECT_NEAR(scale.to_unit(1, 1e3), 5.0 / 6, 1e-15);
}

TEST(Scale, EndsAreExact) {
  const Scale scale(mixed());
  EXPECT_EQ(scale.from_unit({{0, 0}}), (std::vector<double>{-3, 1e-2}));
  EXPECT_EQ(scale.from_unit({{1, 1}}), (std::vector<double>{5, 1e4}));
  EXPECT_EQ(scale.to_unit({{-3, 1e-2}}), (std::vector<double>{0, 0}));
  EXPECT_EQ(scale.to_unit({{5, 1e4}}), (std::vector<double>{1, 1}));
}

TEST(Scale, WhatIsOutsideIsPutOntoTheBounds) {
  const Scale scale(mixed());
  EXPECT_EQ(scale.to_unit({{-4, 1e5}}), (std::vector<double>{0, 1}));
  EXPECT_EQ(scale.from_unit({{1.5, -0.5}}), (std::vector<double>{5, 1e-2}));
}

TEST(Scale, GoesThereAndBack) {
  const Scale scale(mixed());
  for (double unit = 0; unit <= 1; unit += 0.01) {
    EXPECT_NEAR(scale.to_unit(0, scale.from_unit(0, unit)), unit, 1e-15);
    EXPECT_NEAR(scale.to_unit(1, scale.from_unit(1, unit)), unit, 1e-15);
  }
}

TEST(Scale, WithoutFlagsNothingIsLogarithmic) {
  Problem problem = mixed();
  problem.logarithmic.clear();
  EXPECT_DOUBLE_EQ(Scale(problem).from_unit(1, 0.5), (1e-2 + 1e4) / 2);
}

}  // namespace
}  // namespace espalier::optimize::detail
