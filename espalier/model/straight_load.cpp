#include <algorithm>
#include <cmath>
#include <limits>

#include "espalier/base/numbers.hpp"
#include "espalier/model/model.hpp"

namespace espalier::model {
namespace {

using Op = Expression::Op;

constexpr double kOpen = std::numeric_limits<double>::infinity();

bool is_number(const StraightLoad& law) { return law.position == 0 && law.rate == 0 && !law.range; }

StraightLoad number(double value) { return {value, 0, 0, std::nullopt}; }

StraightLoad scaled(StraightLoad law, double by) {
  law.constant *= by;
  law.position *= by;
  law.rate *= by;
  if (law.range) {
    for (double& bound : *law.range) bound *= by;
    // Turned over, the lower bound is the upper one.
    if (by < 0) std::swap((*law.range)[0], (*law.range)[1]);
  }
  return law;
}

// What is held to a range already is no sum any more, except with nothing.
std::optional<StraightLoad> sum(const StraightLoad& a, const StraightLoad& b) {
  if (a.range || b.range) return std::nullopt;
  return StraightLoad{a.constant + b.constant, a.position + b.position, a.rate + b.rate, std::nullopt};
}

// min(law, bound) or max(law, bound), as long as both ends of the range say the same in any order.
std::optional<StraightLoad> held(StraightLoad law, double bound, bool above) {
  std::array<double, 2> range = law.range.value_or(std::array{-kOpen, kOpen});
  double& end = range[above ? 1 : 0];
  end = above ? std::min(end, bound) : std::max(end, bound);
  // With crossed bounds it matters which was applied last.
  if (!(range[0] <= range[1])) return std::nullopt;
  law.range = range;
  return law;
}

std::optional<StraightLoad> apply(Op op, const StraightLoad& a, const StraightLoad& b) {
  const bool numbers = is_number(a) && is_number(b);
  switch (op) {
    case Op::kAdd:
      return sum(a, b);
    case Op::kSubtract:
      return sum(a, scaled(b, -1));
    case Op::kMultiply:
      // Two coordinates multiplied are no straight line any more.
      if (is_number(b)) return scaled(a, b.constant);
      return is_number(a) ? std::optional(scaled(b, a.constant)) : std::nullopt;
    case Op::kDivide:
      // As evaluate() divides.
      return is_number(b) ? std::optional(scaled(a, 1 / b.constant)) : std::nullopt;
    case Op::kPower:
      return numbers ? std::optional(number(elementary::pow(a.constant, b.constant))) : std::nullopt;
    case Op::kMin:
    case Op::kMax:
      if (numbers) {
        return number(op == Op::kMin ? std::min(a.constant, b.constant) : std::max(a.constant, b.constant));
      }
      if (is_number(b)) return held(a, b.constant, op == Op::kMin);
      return is_number(a) ? held(b, a.constant, op == Op::kMin) : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<StraightLoad> straight_load(const Expression& formula, const std::string& joint) {
  std::vector<StraightLoad> stack;
  for (const Expression::Instruction& instruction : formula.code) {
    if (instruction.op == Op::kNumber) {
      stack.push_back(number(instruction.number));
    } else if (instruction.op == Op::kInput) {
      const auto input = std::find_if(formula.inputs.begin(), formula.inputs.end(), [&](const auto& candidate) {
        return candidate.slot == static_cast<int>(instruction.number);
      });
      // The servo of another joint's coordinate is a coupling, which other formats say otherwise.
      if (input == formula.inputs.end() || input->joint != joint || input->coordinate != 0) return std::nullopt;
      stack.push_back(input->is_rate ? StraightLoad{0, 0, 1, std::nullopt} : StraightLoad{0, 1, 0, std::nullopt});
    } else if (instruction.op == Op::kNegate) {
      stack.back() = scaled(stack.back(), -1);
    } else {
      // A function of one argument, or the time: neither leaves a line straight.
      if (stack.size() < 2) return std::nullopt;
      const StraightLoad b = stack.back();
      stack.pop_back();
      const std::optional<StraightLoad> both = apply(instruction.op, stack.back(), b);
      if (!both) return std::nullopt;
      stack.back() = *both;
    }
  }
  // A formula that divides by zero has been parsed all the same.
  const StraightLoad& law = stack.front();
  const auto is_bound = [](double bound) { return !std::isnan(bound); };
  const bool finite = std::isfinite(law.constant) && std::isfinite(law.position) && std::isfinite(law.rate);
  if (!finite || (law.range && !std::all_of(law.range->begin(), law.range->end(), is_bound))) return std::nullopt;
  return law;
}

}  // namespace espalier::model
