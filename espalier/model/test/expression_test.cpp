#include "espalier/model/expression.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"

namespace espalier::model {
namespace {

Expression parsed(std::string_view text) {
  const Result<Expression> expression = parse_expression(text);
  EXPECT_TRUE(expression) << to_string(expression.error());
  return expression.value_or(Expression());
}

double value(std::string_view text, double t = 0) { return evaluate(parsed(text), t); }

TEST(Expression, FollowsTheUsualPrecedence) {
  EXPECT_DOUBLE_EQ(value("1 + 2*3"), 7);
  EXPECT_DOUBLE_EQ(value("(1 + 2)*3"), 9);
  EXPECT_DOUBLE_EQ(value("8 - 3 - 2"), 3);
  EXPECT_DOUBLE_EQ(value("8/4/2"), 1);
  EXPECT_DOUBLE_EQ(value("2^3^2"), 512);
  EXPECT_DOUBLE_EQ(value("-2^2"), -4);
  EXPECT_DOUBLE_EQ(value("2^-1"), 0.5);
  EXPECT_DOUBLE_EQ(value("2*-3"), -6);
  EXPECT_DOUBLE_EQ(value("+-+1"), -1);
}

TEST(Expression, KnowsItsFunctionsAndNumbers) {
  EXPECT_DOUBLE_EQ(value("sin(t)", 0.3), std::sin(0.3));
  EXPECT_DOUBLE_EQ(value("atan2(t, -1)", 2), std::atan2(2.0, -1.0));
  EXPECT_DOUBLE_EQ(value("min(t, 1) + max(t, 5)", 3), 6);
  EXPECT_DOUBLE_EQ(value("step(t - 1)", 0.5), 0);
  EXPECT_DOUBLE_EQ(value("step(t - 1)", 1), 1);
  EXPECT_DOUBLE_EQ(value("sign(t)*abs(t)", -3), -3);
  EXPECT_DOUBLE_EQ(value("pi"), std::numbers::pi);
  EXPECT_DOUBLE_EQ(value("1.5e-3 + .5"), 0.5015);
}

// Both derivatives against central differences, at a time where every function is smooth.
TEST(EvaluateJet, AgreesWithCentralDifferences) {
  constexpr double kTime = 0.7;
  constexpr double kStep = 1e-4;
  for (const char* text : {"3",         "t",           "t^3 - 2*t",   "sin(2*pi*t)", "cos(t)/t",      "tan(t)",
                           "asin(t/2)", "acos(t/2)",   "atan(t*t)",   "sqrt(1+t)",   "exp(-t^2)",     "log(2+t)",
                           "abs(t-2)",  "sign(t)*t^2", "min(t, t^2)", "max(t, t^2)", "atan2(t, 1+t)", "t^t",
                           "2^sin(t)",  "-t",          "step(t)*t^2", "(1+t)/(2-t)", "sin(cos(t))^2", "t^0",
                           "t^1",       "t^-2",        "t^0.5"}) {
    const Expression expression = parsed(text);
    const double before = evaluate(expression, kTime - kStep);
    const double here = evaluate(expression, kTime);
    const double after = evaluate(expression, kTime + kStep);
    const Jet jet = evaluate_jet(expression, kTime);
    EXPECT_DOUBLE_EQ(jet.value, here) << text;
    EXPECT_NEAR(jet.rate, (after - before) / (2 * kStep), 1e-5) << text;
    EXPECT_NEAR(jet.second, (after - 2 * here + before) / (kStep * kStep), 1e-4) << text;
  }
}

TEST(EvaluateJet, OfAPowerIsFiniteAtZero) {
  const Jet square = evaluate_jet(parsed("t^2"), 0);
  EXPECT_EQ(square.value, 0);
  EXPECT_EQ(square.rate, 0);
  EXPECT_EQ(square.second, 2);
  EXPECT_EQ(evaluate_jet(parsed("t^1"), 0).second, 0);
  EXPECT_EQ(evaluate_jet(parsed("t^0"), 0).rate, 0);
}

// What cannot be computed must not look like a law that is off.
TEST(Evaluate, WhatIsNoNumberStaysNone) {
  for (const char* text : {"min(0, sqrt(-1))", "min(sqrt(-1), 0)", "max(0, 0/0)", "max(0/0, 0)", "step(0/0)",
                           "sign(sqrt(-1))", "min(1, max(2, log(-1)))"}) {
    EXPECT_TRUE(std::isnan(value(text))) << text;
    EXPECT_TRUE(std::isnan(evaluate_jet(parsed(text), 0).value)) << text;
  }
  EXPECT_EQ(value("min(1, 2)"), 1);
  EXPECT_EQ(value("max(1, 2)"), 2);
  EXPECT_EQ(value("step(0)"), 1);
  EXPECT_EQ(value("sign(0)"), 0);
}

void expect_error(std::string_view text, std::string_view part) {
  const Result<Expression> expression = parse_expression(text, {"m.yaml", 5, 1});
  ASSERT_FALSE(expression) << text;
  EXPECT_EQ(expression.error().where.line, 5);
  EXPECT_NE(expression.error().message.find(part), std::string::npos) << expression.error().message;
}

TEST(ParseExpression, NamesTheColumnAndWhatItExpected) {
  expect_error("", "expected a number, t, pi, a function or '(' at column 1, found the end");
  expect_error("1 +", "at column 4, found the end");
  expect_error("2 * (3 + t", "expected ')' at column 11");
  expect_error("sin t", "expected '(' at column 5");
  expect_error("sine(t)", "at column 1, found 'sine(t)'");
  expect_error("min(1)", "expected ',' and a second argument at column 6");
  expect_error("1 2", "expected an operator or the end at column 3, found '2'");
  expect_error("2 t", "expected an operator or the end at column 3");
  expect_error("1e999", "a double can hold");
  expect_error("x + 1", "at column 1");
  expect_error("q + 1", "expected '(' and the name of a joint at column 3");
  expect_error("q()", "expected the name of a joint at column 3");
  expect_error("q(pin", "expected ')' at column 6");
  expect_error("v('pin)", "expected ')' at column 8");
  expect_error("v(pin, 9)", "which coordinate of the joint, 1 to 6, at column 8");
  expect_error("1 ** 2", "at column 4");
}

TEST(ParseExpression, RefusesDeepNestingInsteadOfOverflowing) {
  for (const char* piece : {"(", "-", "sin(", "2^", "1+(", "1*("}) {
    std::string text;
    for (int k = 0; k < 100'000; ++k) text += piece;
    EXPECT_FALSE(parse_expression(text + "1")) << piece;
  }
}

// Each open operation keeps a value on the stack: 1+(1+(1+( ...
TEST(ParseExpression, RefusesMoreValuesThanTheStackHolds) {
  const auto nested = [](int depth) {
    std::string text;
    for (int k = 0; k < depth; ++k) text += "1+(";
    text += "t";
    text.append(to_index(depth), ')');
    return text;
  };
  EXPECT_DOUBLE_EQ(value(nested(kStackDepth - 1), 2), kStackDepth - 1 + 2);
  EXPECT_FALSE(parse_expression(nested(kStackDepth)));
}

TEST(ParseExpression, TakesLongFlatSums) {
  std::string text = "t";
  for (int k = 0; k < 10'000; ++k) text += "+1";
  EXPECT_DOUBLE_EQ(value(text, 0.5), 10'000.5);
}

// A servo in one line, with q = 0.2 and v = 3.
TEST(Expression, NamesCoordinatesAndRatesOfJoints) {
  const Expression servo = parsed("100*(0.5 - q(pin)) - 5*v(pin) + 0*q( pin )");
  ASSERT_EQ(servo.inputs.size(), 2u) << "each once";
  EXPECT_EQ(servo.inputs[0].joint, "pin");
  EXPECT_FALSE(servo.inputs[0].is_rate);
  EXPECT_TRUE(servo.inputs[1].is_rate);
  EXPECT_FALSE(is_constant(servo));
  const double inputs[] = {0.2, 3};
  EXPECT_DOUBLE_EQ(evaluate(servo, 0, inputs), 15);
  EXPECT_DOUBLE_EQ(input_slope(servo, 0, inputs, 0), -100);
  EXPECT_DOUBLE_EQ(input_slope(servo, 0, inputs, 1), -5);
  EXPECT_TRUE(std::isnan(evaluate(servo, 0))) << "unknown, not zero";
}

TEST(Expression, TakesAnyNameAndTheNumberOfACoordinate) {
  const Expression formula = parsed("q(left knee, 2) + v('a,b)') + q(\"it's\", 3) + q(arm-1/x)");
  const char* texts[] = {"q(left knee, 2)", "v('a,b)')", "q(\"it's\", 3)", "q(arm-1/x)"};
  ASSERT_EQ(formula.inputs.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(input_text(formula.inputs[k]), texts[k]);
}

TEST(Expression, NumbersItsInputsAnew) {
  Expression formula = parsed("q(a) - 10*q(b)");
  const int slots[] = {1, 0};
  number_inputs(slots, formula);
  const double inputs[] = {2, 5};
  EXPECT_DOUBLE_EQ(evaluate(formula, 0, inputs), 5 - 20);
  EXPECT_DOUBLE_EQ(input_slope(formula, 0, inputs, 0), -10);
}

TEST(Expression, ScalesItsInputs) {
  const std::string text = scaled_inputs(parsed("q(a)*v(b) - q(a)"),
                                         [](const Expression::Input& input) { return input.joint == "a" ? 4.0 : 1.0; });
  EXPECT_EQ(text, "(q(a)*4)*v(b) - (q(a)*4)");
}

TEST(IsConstant, SeesWhetherTimeOccurs) {
  EXPECT_TRUE(is_constant(parsed("2*pi")));
  EXPECT_FALSE(is_constant(parsed("0*t")));
  EXPECT_TRUE(is_constant(constant_expression(3)));
  EXPECT_DOUBLE_EQ(evaluate(constant_expression(-1.25), 9), -1.25);
  EXPECT_DOUBLE_EQ(value(constant_expression(-1.25e-7).text), -1.25e-7);
}

}  // namespace
}  // namespace espalier::model
