#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/base/text.hpp"

namespace espalier::model {

// Value, first and second time derivative. A prescribed motion needs all three.
struct Jet {
  double value = 0;
  double rate = 0;    // d/dt
  double second = 0;  // d2/dt2
};

// A function given by rows. Its value has no jumps, and that of a cubic no corners: docs/formats/native.md#tables.
struct Table {
  enum class Between { kLinear, kCubic };
  enum class Outside { kHold, kStraight, kRepeat };

  std::vector<double> argument;  // ascending
  std::vector<double> value;     // one for each row
  std::vector<double> slope;     // of a cubic at its rows; empty for straight lines
  Between between = Between::kCubic;
  Outside outside = Outside::kHold;

  bool operator==(const Table&) const = default;
};
constexpr Words<Table::Between, 2> words(Table::Between) {
  return {{{"linear", Table::Between::kLinear}, {"cubic", Table::Between::kCubic}}};
}
constexpr Words<Table::Outside, 3> words(Table::Outside) {
  return {
      {{"hold", Table::Outside::kHold}, {"straight", Table::Outside::kStraight}, {"repeat", Table::Outside::kRepeat}}};
}

// Errors, at `where`: fewer than two rows, numbers that are not finite or not ascending, a period that does not close.
// O(rows).
Result<Table> make_table(std::vector<double> argument, std::vector<double> value, Table::Between between,
                         Table::Outside outside, const Where& where = {});
// Value, first and second derivative by the argument. At a row they are those behind it. O(log rows).
std::array<double, 3> table_at(const Table& table, double argument);

// A table as formulas call it.
struct NamedTable {
  std::string name;
  std::shared_ptr<const Table> table;
};

// A formula of the time t and of coordinates of joints, made once by parse_expression and then evaluated without
// allocation.
//   numbers, t, pi, + - * / ^ ( ), sin cos tan asin acos atan sqrt exp log abs sign min max atan2 step
//   q(JOINT), v(JOINT)        coordinate of a joint and its rate; q(JOINT, 2) is its second one, q('JOINT') if quoted
//   TABLE(x)                  a table at any argument x
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
    kTable,
  };
  struct Instruction {
    Op op = Op::kNumber;
    double number = 0;  // kInput: place among the inputs that evaluate() is given; kTable: in `tables`
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
  std::vector<NamedTable> tables = {};              // each once

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
                                    std::span<const NamedNumber> names = {}, std::span<const NamedTable> tables = {});

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
