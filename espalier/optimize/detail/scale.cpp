#include "espalier/optimize/detail/scale.hpp"

#include <algorithm>
#include <cmath>

#include "espalier/base/numbers.hpp"

namespace espalier::optimize::detail {

Scale::Scale(const Problem& problem) : low_(problem.low), high_(problem.high), logarithmic_(problem.logarithmic) {
  // An empty list stands for no logarithm at all.
  logarithmic_.resize(low_.size(), false);
}

double Scale::to_unit(std::size_t parameter, double value) const {
  const double low = low_[parameter], high = high_[parameter];
  // Quotients and not differences of logarithms: the ends come out as 0 and 1 exactly.
  // (O1)
  const double unit = logarithmic_[parameter] ? elementary::log(value / low) / elementary::log(high / low)
                                              : (value - low) / (high - low);
  return std::clamp(unit, 0.0, 1.0);
}

double Scale::from_unit(std::size_t parameter, double unit) const {
  const double low = low_[parameter], high = high_[parameter];
  const double value =
      logarithmic_[parameter] ? low * elementary::exp(unit * elementary::log(high / low)) : low + unit * (high - low);
  // Rounding must not leave the bounds: the cost function may not be defined there.
  return unit >= 1 ? high : std::clamp(value, low, high);
}

std::vector<double> Scale::to_unit(std::span<const double> parameters) const {
  std::vector<double> units(parameters.size());
  for (std::size_t k = 0; k < units.size(); ++k) units[k] = to_unit(k, parameters[k]);
  return units;
}

std::vector<double> Scale::from_unit(std::span<const double> units) const {
  std::vector<double> parameters(units.size());
  for (std::size_t k = 0; k < parameters.size(); ++k) parameters[k] = from_unit(k, units[k]);
  return parameters;
}

}  // namespace espalier::optimize::detail
