#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/result.hpp"

namespace espalier::model {

// Value, first and second time derivative. A prescribed motion needs all three.
struct Jet {
  double value = 0;
  double rate = 0;    // d/dt
  double second = 0;  // d2/dt2
};

// A formula of the time t, made once by parse_expression and then evaluated without allocation.
//   numbers, t, pi, + - * / ^ ( ), sin cos tan asin acos atan sqrt exp log abs sign min max atan2 step
// step(x) is 0 for x < 0 and 1 else. Derivatives of abs, sign, min, max and step ignore the jump.
struct Expression {
  enum class Op : unsigned char {
    kNumber,
    kTime,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kPower,
    kNegate,
    kSin,
    kCos,
    kTan,
    kAsin,
    kAcos,
    kAtan,
    kSqrt,
    kExp,
    kLog,
    kAbs,
    kSign,
    kStep,
    kMin,
    kMax,
    kAtan2,
  };
  struct Instruction {
    Op op = Op::kNumber;
    double number = 0;
  };

  std::string text = "0";                           // as the user wrote it
  std::vector<Instruction> code = {Instruction{}};  // reverse Polish; never needs more than kStackDepth values

  bool operator==(const Expression& other) const { return text == other.text; }
};

inline constexpr int kStackDepth = 32;

// A name that stands for a number in an expression; it hides `t` or `pi` where it is called so.
struct NamedNumber {
  std::string name;
  double value = 0;
};

// The error message names the column and what was expected there.
Result<Expression> parse_expression(std::string_view text, const Where& where = {},
                                    std::span<const NamedNumber> names = {});

// True for the names of functions and for pi: no name of a user's can be one of them.
bool is_expression_word(std::string_view name);

Expression constant_expression(double value);

double evaluate(const Expression& expression, double t);
Jet evaluate_jet(const Expression& expression, double t);

// True if t does not occur.
bool is_constant(const Expression& expression);

}  // namespace espalier::model
