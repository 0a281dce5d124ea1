#include "espalier/plan/detail/landscape.hpp"

#include <limits>

namespace espalier::plan::detail {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

Landscape::Landscape(const Problem& given)
    : problem(given),
      lightest(graph::find_lightest(given.graph, given.weight, given.pinned)),
      paths(given.graph),
      mixture_(given.length.size()) {}

std::span<const double> Landscape::mix(double a, double b) {
  for (std::size_t e = 0; e < mixture_.size(); ++e) {
    // Infinite times 0 would be no number.
    const double excess = lightest.excess[e];
    mixture_[e] = excess < kInfinite ? a * problem.length[e] + b * excess : kInfinite;
  }
  return mixture_;
}

}  // namespace espalier::plan::detail
