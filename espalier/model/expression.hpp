#pragma once

#include <functional>
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

// A formula of the time t and of coordinates of joints, made once by parse_expression and then evaluated without
// allocation.
//   numbers, t, pi, + - * / ^ ( ), sin cos tan asin acos atan sqrt exp log abs sign min max atan2 step
//   q(JOINT), v(JOINT)        coordinate of a joint and its rate; q(JOINT, 2) is its second one, q('JOINT') if quoted
// step(x) is 0 for x < 0 and 1 else. Derivatives of abs, sign, min, max and step ignore the jump.
struct Expression {
  enum class Op : unsigned char {
    kNumber,
    kTime,
    kInput,
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
    double number = 0;  // kInput: place among the inputs that evaluate() is given
  };
  // A coordinate or rate that the formula names. parse_expression() numbers them by their first appearance, and
  // compile() by Model::watched.
  struct Input {
    std::string joint;
    int coordinate = 0;  // from 0
    bool is_rate = false;
    int slot = 0;  // its place among the inputs that evaluate() is given
  };

  std::string text = "0";                           // as the user wrote it
  std::vector<Instruction> code = {Instruction{}};  // reverse Polish; never needs more than kStackDepth values
  std::vector<Input> inputs;                        // each once

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

// Without its inputs a formula that names coordinates gives NaN.
double evaluate(const Expression& expression, double t, std::span<const double> inputs = {});
// With the inputs held.
Jet evaluate_jet(const Expression& expression, double t, std::span<const double> inputs = {});
// The partial derivative by the input in a slot.
double input_slope(const Expression& expression, double t, std::span<const double> inputs, int slot);

// Gives each input its place: slots has one for each of expression.inputs.
void number_inputs(std::span<const int> slots, Expression& expression);
// The text with each input x replaced by (x * factor(x)), for formulas in other units than those of the library.
std::string scaled_inputs(const Expression& expression, const std::function<double(const Expression::Input&)>& factor);

// True if neither t nor a coordinate occurs.
bool is_constant(const Expression& expression);

// `q(pin)`, as it is written in formulas.
std::string input_text(const Expression::Input& input);

}  // namespace espalier::model
