// Formulas that are straight in one joint's coordinate and rate, and those that are not.

#include <algorithm>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "espalier/model/model.hpp"

namespace espalier::model {
namespace {

std::optional<StraightLoad> law_of(const std::string& text) {
  const Result<Expression> formula = parse_expression(text);
  EXPECT_TRUE(formula) << text;
  return straight_load(*formula, "pin");
}

void expect_law(const std::string& text, double constant, double position, double rate) {
  const std::optional<StraightLoad> law = law_of(text);
  ASSERT_TRUE(law) << text;
  EXPECT_DOUBLE_EQ(law->constant, constant) << text;
  EXPECT_DOUBLE_EQ(law->position, position) << text;
  EXPECT_DOUBLE_EQ(law->rate, rate) << text;
}

TEST(StraightLoad, IsWhatServosSay) {
  expect_law("100*(0.5 - q(pin)) - 5*v(pin)", 50, -100, -5);
  expect_law("-(q(pin) + 2*v(pin))/4", 0, -0.25, -0.5);
  expect_law("7", 7, 0, 0);
  expect_law("2^3*v(pin) - min(1, 4)", -1, 0, 8);
  expect_law("q(pin) - q(pin)", 0, 0, 0);
}

// Held to a range as the formula itself is, at many states.
TEST(StraightLoad, KeepsTheRangeOfTheFormula) {
  for (const std::string text : {"max(-3, min(5, 4*q(pin) + 1))", "min(5, max(-3, 4*q(pin) + 1))", "min(2, v(pin))",
                                 "-2*max(-3, min(5, 4*q(pin) + 1))", "max(1, min(1, q(pin)))"}) {
    const std::optional<StraightLoad> law = law_of(text);
    ASSERT_TRUE(law && law->range) << text;
    const Expression formula = *parse_expression(text);
    for (double x = -4; x < 4; x += 0.25) {
      const double inputs[] = {x};
      const bool is_rate = formula.inputs[0].is_rate;
      const double sum = law->constant + (is_rate ? law->rate : law->position) * x;
      EXPECT_DOUBLE_EQ(std::clamp(sum, (*law->range)[0], (*law->range)[1]), evaluate(formula, 0, inputs)) << text;
    }
  }
}

TEST(StraightLoad, IsNothingOfAnotherForm) {
  for (const std::string text :
       {"t", "q(other)", "q(pin, 2)", "q(pin)*v(pin)", "q(pin)^2", "sin(q(pin))", "1/q(pin)", "1 + min(2, q(pin))",
        "min(q(pin), v(pin))", "max(4, min(2, q(pin)))", "1/0", "step(t)*q(pin)"}) {
    EXPECT_FALSE(law_of(text)) << text;
  }
}

}  // namespace
}  // namespace espalier::model
