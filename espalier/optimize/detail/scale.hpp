#pragma once

#include <span>
#include <vector>

#include "espalier/optimize/optimize.hpp"

namespace espalier::optimize::detail {

// Between parameters and the unit cube in which is searched; logarithmic parameters by their logarithm.
class Scale {
 public:
  explicit Scale(const Problem& problem);

  std::size_t size() const { return low_.size(); }
  // Of one parameter; the answers lie in [0, 1] and in its bounds.
  double to_unit(std::size_t parameter, double value) const;
  double from_unit(std::size_t parameter, double unit) const;

  std::vector<double> to_unit(std::span<const double> parameters) const;
  std::vector<double> from_unit(std::span<const double> units) const;

 private:
  std::vector<double> low_, high_;
  std::vector<bool> logarithmic_;
};

}  // namespace espalier::optimize::detail
