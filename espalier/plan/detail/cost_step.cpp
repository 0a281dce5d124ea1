#include "espalier/plan/detail/cost_step.hpp"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace espalier::plan::detail {
namespace {

// Costs are looked at in units of 1 / kUnits: enough for weights and factors with a few digits after the point.
constexpr double kUnits = 1e4;
// How far a product of two numbers may be from whole by rounding, relative to it. More would be a true difference, and
// in the sum of many edges such differences could pass for a step.
constexpr double kRounding = 1e-15;

// factor * values in units, as whole numbers: their greatest common divisor, -1 where one is not whole.
std::int64_t common_divisor(const std::vector<double>& values, double factor, std::int64_t divisor) {
  for (const double value : values) {
    const double units = factor * value * kUnits;
    // Well below 1e15 units, where kRounding would let every number pass for whole.
    if (units > 1e12 || std::abs(units - std::round(units)) > kRounding * units) return -1;
    divisor = std::gcd(divisor, static_cast<std::int64_t>(std::llround(units)));
  }
  return divisor;
}

}  // namespace

double cost_step(const Problem& problem, const Goal& goal) {
  // Costs are sums of a l and b w, so a divisor of all of them divides every cost.
  const std::int64_t lengths = common_divisor(problem.length, goal.length_factor, 0);
  if (lengths < 0) return 0;
  const std::int64_t both = common_divisor(problem.weight, goal.weight_factor, lengths);
  return both < 0 ? 0 : static_cast<double>(both) / kUnits;
}

}  // namespace espalier::plan::detail
