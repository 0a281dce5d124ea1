#include "espalier/model/expression.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"

namespace espalier::model {
namespace {

using Op = Expression::Op;

struct Function {
  std::string_view name;
  Op op;
  int arguments;
};

// The message of name() and docs/formats/native.md list the same names.
constexpr std::array<Function, 15> kFunctions = {{
    {"sin", Op::kSin, 1},
    {"cos", Op::kCos, 1},
    {"tan", Op::kTan, 1},
    {"asin", Op::kAsin, 1},
    {"acos", Op::kAcos, 1},
    {"atan", Op::kAtan, 1},
    {"sqrt", Op::kSqrt, 1},
    {"exp", Op::kExp, 1},
    {"log", Op::kLog, 1},
    {"abs", Op::kAbs, 1},
    {"sign", Op::kSign, 1},
    {"step", Op::kStep, 1},
    {"min", Op::kMin, 2},
    {"max", Op::kMax, 2},
    {"atan2", Op::kAtan2, 2},
}};

// Where an input stands in the text of its formula.
struct InputPlace {
  std::size_t begin = 0, end = 0;
  int input = 0;  // Expression::inputs
};

bool is_same(const Expression::Input& a, const Expression::Input& b) {
  return a.joint == b.joint && a.coordinate == b.coordinate && a.is_rate == b.is_rate;
}

// Recursive descent: sum = product {+- product}, product = factor {*/ factor}, factor = [-] power, power = atom [^
// factor]. Depth is bounded: each nested level needs a bracket, a sign or a ^, and those are counted.
class Parser {
 public:
  Parser(std::string_view text, const Where& where, std::span<const NamedNumber> names,
         std::span<const NamedTable> tables, std::vector<InputPlace>* places = nullptr)
      : text_(text), where_(where), names_(names), tables_(tables), places_(places) {}

  Result<Expression> parse() {
    Expression expression;
    expression.text = std::string(text_);
    // A new expression holds the code of `0`.
    expression.code.clear();
    expression_ = &expression;
    sum();
    skip_space();
    // Whatever is left over was not understood: `2 t` must not read as 2.
    if (!error_ && at_ < text_.size()) fail("an operator or the end");
    if (error_) return tl::unexpected(*error_);
    return expression;
  }

 private:
  // Far above what anyone writes and far below what a thread's stack holds.
  static constexpr int kDeepest = 60;

  void fail(std::string_view expected) {
    // The first mistake is the one to report; the rest follows from it.
    if (error_) return;
    // Twelve bytes show where it is without repeating a long formula.
    const std::string found = at_ < text_.size() ? in_quotes(text_.substr(at_, 12)) : "the end";
    error_ = Error{
        ErrorCode::kSyntax,
        fmt::format("expression {}: expected {} at column {}, found {}", in_quotes(text_), expected, at_ + 1, found),
        where_};
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }

  bool accept(char c) {
    skip_space();
    // After a mistake nothing is accepted, so that every level above returns at once.
    if (error_ || at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void emit(Op op, int pops, double number = 0) {
    // Reverse Polish: what is pushed is never looked at again while parsing.
    expression_->code.push_back({op, number});
    // The stack that evaluation needs is known while parsing, so that evaluate_jet() needs no test.
    depth_ += 1 - pops;
    if (depth_ > kStackDepth) fail("a shorter expression (too many open operations)");
  }

  void sum() {
    product();
    while (!error_) {
      if (accept('+')) {
        product();
        emit(Op::kAdd, 2);
      } else if (accept('-')) {
        product();
        // Within the loop and not by recursion: a - b - c is (a - b) - c.
        emit(Op::kSubtract, 2);
      } else {
        return;
      }
    }
  }

  void product() {
    factor();
    while (!error_) {
      if (accept('*')) {
        factor();
        emit(Op::kMultiply, 2);
      } else if (accept('/')) {
        factor();
        emit(Op::kDivide, 2);
      } else {
        return;
      }
    }
  }

  void factor() {
    // Every way down the recursion leads through here, so that this one count bounds it.
    if (++nesting_ > kDeepest) fail("fewer nested operations");
    if (!error_) {
      if (accept('-')) {
        // A sign binds weaker than a power: -2^2 is -4, as in mathematics.
        factor();
        emit(Op::kNegate, 1);
      } else if (accept('+')) {
        factor();
      } else {
        power();
      }
    }
    --nesting_;
  }

  void power() {
    atom();
    if (accept('^')) {
      // The exponent is a factor: 2^-1 reads, and 2^3^2 is 2^(3^2).
      factor();
      emit(Op::kPower, 2);
    }
  }

  void atom() {
    if (accept('(')) {
      sum();
      if (!accept(')')) fail("')'");
      return;
    }
    skip_space();
    if (error_) return;
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    // By the first character alone: no two of the three begin alike.
    if ((c >= '0' && c <= '9') || c == '.') {
      number();
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      name();
    } else {
      fail("a number, t, pi, a function or '('");
    }
  }

  void number() {
    double value = 0;
    // from_chars, unlike strtod, reads the same number in every locale.
    const auto [end, problem] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (problem != std::errc()) return fail("a number that a double can hold");
    at_ = to_index(end - text_.data());
    emit(Op::kNumber, 0, value);
  }

  void name() {
    std::size_t end = at_;
    while (end < text_.size() &&
           ((text_[end] >= 'a' && text_[end] <= 'z') || (text_[end] >= 'A' && text_[end] <= 'Z') ||
            (text_[end] >= '0' && text_[end] <= '9') || text_[end] == '_')) {
      ++end;
    }
    const std::string_view word = text_.substr(at_, end - at_);
    // First: a constant of the user's may be called t.
    const auto named = std::find_if(names_.begin(), names_.end(), [&](const NamedNumber& n) { return n.name == word; });
    if (named != names_.end()) {
      at_ = end;
      return emit(Op::kNumber, 0, named->value);
    }
    // The only two names without arguments.
    if (word == "t" || word == "pi") {
      at_ = end;
      return word == "t" ? emit(Op::kTime, 0) : emit(Op::kNumber, 0, std::numbers::pi);
    }
    if (word == "q" || word == "v") return input(end);
    const auto table =
        std::find_if(tables_.begin(), tables_.end(), [&](const NamedTable& t) { return t.name == word; });
    if (table != tables_.end()) {
      at_ = end;
      return look_up(*table);
    }
    const auto function =
        std::find_if(kFunctions.begin(), kFunctions.end(), [&](const Function& f) { return f.name == word; });
    if (function == kFunctions.end()) {
      return fail(
          "t, pi, q(JOINT), v(JOINT) or one of sin cos tan asin acos atan sqrt exp log abs sign step min max atan2");
    }
    at_ = end;
    // As everywhere, the position stands behind the name now: the message points at what follows it.
    if (!accept('(')) return fail("'('");
    for (int argument = 0; argument < function->arguments; ++argument) {
      if (argument > 0 && !accept(',')) return fail("',' and a second argument");
      sum();
    }
    if (!accept(')')) return fail("')'");
    emit(function->op, function->arguments);
  }

  void look_up(const NamedTable& table) {
    if (!accept('(')) return fail("'(' and what the table is asked for");
    sum();
    if (!accept(')')) return fail("')'");
    std::vector<NamedTable>& tables = expression_->tables;
    const auto known =
        std::find_if(tables.begin(), tables.end(), [&](const NamedTable& other) { return other.name == table.name; });
    // By its place: the text of the name is not looked up again at any time.
    const auto place = static_cast<double>(known - tables.begin());
    if (known == tables.end()) tables.push_back(table);
    emit(Op::kTable, 1, place);
  }

  // q or v, whose name ends at `end`: a joint in brackets, and which of its coordinates if it has several.
  void input(std::size_t end) {
    const std::size_t begin = at_;
    Expression::Input named;
    named.is_rate = text_[at_] == 'v';
    at_ = end;
    if (!accept('(')) return fail("'(' and the name of a joint");
    named.joint = joint_name();
    if (accept(',')) named.coordinate = coordinate() - 1;
    if (!accept(')')) return fail("')'");
    std::vector<Expression::Input>& inputs = expression_->inputs;
    const auto known =
        std::find_if(inputs.begin(), inputs.end(), [&](const Expression::Input& i) { return is_same(i, named); });
    const auto place = static_cast<int>(known - inputs.begin());
    named.slot = place;
    if (known == inputs.end()) inputs.push_back(std::move(named));
    // For writers that put other units into the text.
    if (places_ != nullptr) places_->push_back({begin, at_, place});
    emit(Op::kInput, 0, place);
  }

  // As it is, up to a comma or the bracket; or in quotes, where it holds one of them.
  std::string joint_name() {
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    const bool quoted = quote == '\'' || quote == '"';
    if (quoted) ++at_;
    const std::size_t end = std::min(quoted ? text_.find(quote, at_) : text_.find_first_of(",)", at_), text_.size());
    std::string_view name = text_.substr(at_, end - at_);
    while (!quoted && !name.empty() && (name.back() == ' ' || name.back() == '\t')) name.remove_suffix(1);
    if (name.empty()) {
      fail("the name of a joint");
      return {};
    }
    at_ = end;
    // The bracket that is missing behind an open quote is told by the caller.
    if (quoted && at_ < text_.size()) ++at_;
    return std::string(name);
  }

  int coordinate() {
    skip_space();
    const char digit = at_ < text_.size() ? text_[at_] : '\0';
    if (digit < '1' || digit > '6') {
      fail("which coordinate of the joint, 1 to 6,");
      return 1;
    }
    ++at_;
    return digit - '0';
  }

  std::string_view text_;
  Where where_;
  std::span<const NamedNumber> names_;
  std::span<const NamedTable> tables_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int nesting_ = 0;
  Expression* expression_ = nullptr;
  std::vector<InputPlace>* places_ = nullptr;
  std::optional<Error> error_;
};

// f(u) with f' and f'' at u, by the chain rule.
Jet chain(const Jet& u, double f, double df, double ddf) {
  return {f, df * u.rate, ddf * u.rate * u.rate + df * u.second};
}

Jet multiply(const Jet& a, const Jet& b) {
  // Leibniz twice: (ab)'' = a''b + 2a'b' + ab''.
  return {a.value * b.value, a.rate * b.value + a.value * b.rate,
          a.second * b.value + 2 * a.rate * b.rate + a.value * b.second};
}

Jet reciprocal(const Jet& u) {
  // (1/u)' = -1/u^2, (1/u)'' = 2/u^3.
  const double r = 1 / u.value;
  return chain(u, r, -r * r, 2 * r * r * r);
}

Jet natural_log(const Jet& u) { return chain(u, elementary::log(u.value), 1 / u.value, -1 / (u.value * u.value)); }

Jet exponential(const Jet& u) {
  const double e = elementary::exp(u.value);
  return chain(u, e, e, e);
}

Jet power(const Jet& a, const Jet& b) {
  // A constant exponent: a negative base is fine then, where its logarithm is none.
  if (b.rate == 0 && b.second == 0) {
    const double n = b.value;
    // The factors n and n-1 are tested first: 0 * 0^-1 must be 0.
    const double df = n == 0 ? 0 : n * elementary::pow(a.value, n - 1);
    const double ddf = n == 0 || n == 1 ? 0 : n * (n - 1) * elementary::pow(a.value, n - 2);
    return chain(a, elementary::pow(a.value, n), df, ddf);
  }
  // a^b = exp(b log a) where the exponent moves too.
  return exponential(multiply(b, natural_log(a)));
}

Jet arc_tangent(const Jet& y, const Jet& x) {
  // d atan2(y, x) = (x dy - y dx) / (x^2 + y^2); the second derivative is the quotient rule on that.
  const double square = x.value * x.value + y.value * y.value;
  const double rate = (x.value * y.rate - y.value * x.rate) / square;
  const double square_rate = 2 * (x.value * x.rate + y.value * y.rate);
  return {elementary::atan2(y.value, x.value), rate,
          (x.value * y.second - y.value * x.second - rate * square_rate) / square};
}

// What is no number stays none: a law that cannot be computed must not look like one that is off.
double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x; }
double step_of(double x) { return x < 0 ? 0 : x >= 0 ? 1 : x; }

Jet apply_one(Op op, const Jet& u) {
  const double x = u.value;
  switch (op) {
    case Op::kNegate:
      return {-x, -u.rate, -u.second};
    case Op::kSin:
      return chain(u, elementary::sin(x), elementary::cos(x), -elementary::sin(x));
    case Op::kCos:
      return chain(u, elementary::cos(x), -elementary::sin(x), -elementary::cos(x));
    case Op::kTan: {
      const double tangent = elementary::tan(x);
      // tan' = 1 + tan^2, so that one evaluation gives all three.
      return chain(u, tangent, 1 + tangent * tangent, 2 * tangent * (1 + tangent * tangent));
    }
    case Op::kAsin: {
      const double root = std::sqrt(1 - x * x);
      return chain(u, elementary::asin(x), 1 / root, x / (root * root * root));
    }
    case Op::kAcos: {
      const double root = std::sqrt(1 - x * x);
      return chain(u, elementary::acos(x), -1 / root, -x / (root * root * root));
    }
    case Op::kAtan:
      // The general formula with a denominator that stands still.
      return arc_tangent(u, {1, 0, 0});
    case Op::kSqrt: {
      const double root = std::sqrt(x);
      return chain(u, root, 0.5 / root, -0.25 / (root * x));
    }
    case Op::kExp:
      return exponential(u);
    case Op::kLog:
      return natural_log(u);
    case Op::kAbs:
      // At the corner the derivative is 0, the mean of both sides.
      return chain(u, std::abs(x), sign_of(x), 0);
    case Op::kSign:
      return {sign_of(x), 0, 0};
    case Op::kStep:
      // Its jump is a pulse of force that no integrator could see: the rate is 0 on both sides.
      return {step_of(x), 0, 0};
    default:
      return {};
  }
}

Jet apply_two(Op op, const Jet& a, const Jet& b) {
  switch (op) {
    case Op::kAdd:
      return {a.value + b.value, a.rate + b.rate, a.second + b.second};
    case Op::kSubtract:
      return {a.value - b.value, a.rate - b.rate, a.second - b.second};
    case Op::kMultiply:
      return multiply(a, b);
    case Op::kDivide:
      // As a product: one rule less that could be wrong.
      return multiply(a, reciprocal(b));
    case Op::kPower:
      return power(a, b);
    case Op::kMin:
      // A NaN wins: a minimum with something unknown is unknown.
      return std::isnan(a.value) || a.value <= b.value ? a : b;
    case Op::kMax:
      return std::isnan(a.value) || a.value >= b.value ? a : b;
    case Op::kAtan2:
      return arc_tangent(a, b);
    default:
      return {};
  }
}

Jet look_up(const Table& table, const Jet& u) {
  const auto [value, first, second] = table_at(table, u.value);
  return chain(u, value, first, second);
}

bool takes_two(Op op) {
  switch (op) {
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kPower:
    case Op::kMin:
    case Op::kMax:
    case Op::kAtan2:
      return true;
    default:
      return false;
  }
}

// `t` and the inputs with what their derivatives are taken by: the time, or the input in slot `by`.
Jet run(const Expression& expression, const Jet& t, std::span<const double> inputs, int by) {
  // On the call stack and of fixed size: engines evaluate in their inner loops, from several threads.
  std::array<Jet, kStackDepth> stack;
  int top = -1;
  for (const Expression::Instruction& instruction : expression.code) {
    if (instruction.op == Op::kNumber) {
      stack[++top] = {instruction.number, 0, 0};
    } else if (instruction.op == Op::kTime) {
      stack[++top] = t;
    } else if (instruction.op == Op::kInput) {
      const auto slot = static_cast<int>(instruction.number);
      const bool given = to_index(slot) < inputs.size();
      stack[++top] = {given ? inputs[to_index(slot)] : std::numeric_limits<double>::quiet_NaN(), slot == by ? 1.0 : 0.0,
                      0};
    } else if (instruction.op == Op::kTable) {
      stack[top] = look_up(*expression.tables[static_cast<std::size_t>(instruction.number)].table, stack[top]);
    } else if (takes_two(instruction.op)) {
      stack[top - 1] = apply_two(instruction.op, stack[top - 1], stack[top]);
      --top;
    } else {
      stack[top] = apply_one(instruction.op, stack[top]);
    }
  }
  // The parser leaves exactly one value: each operation takes what it needs and puts one back.
  return stack[0];
}

}  // namespace

Result<Expression> parse_expression(std::string_view text, const Where& where, std::span<const NamedNumber> names,
                                    std::span<const NamedTable> tables) {
  return Parser(text, where, names, tables).parse();
}

bool is_expression_word(std::string_view name) {
  return name == "pi" ||
         std::any_of(kFunctions.begin(), kFunctions.end(), [&](const Function& f) { return f.name == name; });
}

Expression constant_expression(double value) { return {number_text(value), {{Op::kNumber, value}}, {}, {}}; }

Jet evaluate_jet(const Expression& expression, double t, std::span<const double> inputs) {
  return run(expression, {t, 1, 0}, inputs, -1);
}

double evaluate(const Expression& expression, double t, std::span<const double> inputs) {
  // Most laws are plain numbers; those skip the stack.
  if (expression.code.size() == 1 && expression.code.front().op == Op::kNumber) return expression.code.front().number;
  return evaluate_jet(expression, t, inputs).value;
}

double input_slope(const Expression& expression, double t, std::span<const double> inputs, int slot) {
  return run(expression, {t, 0, 0}, inputs, slot).rate;
}

void number_inputs(std::span<const int> slots, Expression& expression) {
  // The code holds the old numbers, so that it is renumbered first.
  for (Expression::Instruction& instruction : expression.code) {
    if (instruction.op != Op::kInput) continue;
    const auto input = std::find_if(expression.inputs.begin(), expression.inputs.end(), [&](const auto& candidate) {
      return candidate.slot == static_cast<int>(instruction.number);
    });
    instruction.number = slots[to_index(input - expression.inputs.begin())];
  }
  for (std::size_t k = 0; k < slots.size(); ++k) expression.inputs[k].slot = slots[k];
}

std::string scaled_inputs(const Expression& expression, const std::function<double(const Expression::Input&)>& factor) {
  std::vector<InputPlace> places;
  const Result<Expression> parsed = Parser(expression.text, {}, {}, expression.tables, &places).parse();
  std::string text = expression.text;
  if (!parsed) return text;
  // From behind, so that the places in front stay where they are.
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    const std::string own = text.substr(place->begin, place->end - place->begin);
    const double by = factor(parsed->inputs[to_index(place->input)]);
    if (by != 1) text.replace(place->begin, own.size(), fmt::format("({}*{})", own, number_text(by)));
  }
  return text;
}

bool is_constant(const Expression& expression) {
  // By the code: the letter t of `sqrt` or `atan` is no time.
  return std::none_of(expression.code.begin(), expression.code.end(),
                      [](const Expression::Instruction& i) { return i.op == Op::kTime || i.op == Op::kInput; });
}

std::string input_text(const Expression::Input& input) {
  const bool plain = input.joint.find_first_of(",)'\"") == std::string::npos;
  const char* quote = plain ? "" : input.joint.find('\'') == std::string::npos ? "'" : "\"";
  const std::string which = input.coordinate > 0 ? fmt::format(", {}", input.coordinate + 1) : "";
  return fmt::format("{}({}{}{}{})", input.is_rate ? 'v' : 'q', quote, input.joint, quote, which);
}

}  // namespace espalier::model
