#include "espalier/base/result.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(CheckDeathTest, StopsWithPlaceSentenceAndCondition) {
  const int parts = 2;
  EXPECT_DEATH(ESPALIER_CHECK(parts == 3, "a triangle has three parts"),
               "check_test.cpp:[0-9]+: a triangle has three parts \\(parts == 3\\)");
}

TEST(CheckDeathTest, CallsTheStopFunction) {
  EXPECT_EXIT(
      {
        set_stop_function([] { std::_Exit(42); });
        ESPALIER_CHECK(false, "stops all ranks");
      },
      testing::ExitedWithCode(42), "stops all ranks");
}

TEST(Check, EvaluatesItsConditionOnce) {
  int calls = 0;
  ESPALIER_CHECK(++calls == 1, "once");
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace espalier
