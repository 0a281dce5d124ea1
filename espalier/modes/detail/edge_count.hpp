#pragma once

// How many roots lie in a region, by the integral of D' / D along its edge. With the factors of all roots that are
// known taken out, in the region or near it, the integrand is smooth, and few nodes are enough.

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/modes/detail/complex_root.hpp"
#include "espalier/modes/detail/slopes.hpp"

namespace espalier::modes::detail {

class EdgeCount {
 public:
  explicit EdgeCount(const Region& region) : region_(region) {}

  // Collective. So many intervals a side, even; nodes of half as many are known and not evaluated again. False where
  // the work does not allow it.
  bool sample(Slopes& slopes, int intervals);

  // Roots in the region beside `known`: near an integer.
  double missing(std::span<const ComplexRoot> known) const;
  // The same from every other node. Where both agree, the nodes are enough.
  double missing_by_half(std::span<const ComplexRoot> known) const;

  // The samples, and what is left of D' / D there. The upper half of the edge; the other one is its mirror image.
  const std::vector<std::complex<double>>& points() const { return points_; }
  std::vector<std::complex<double>> left_over(std::span<const ComplexRoot> known) const;

 private:
  double integral(std::span<const ComplexRoot> known, int stride) const;

  Region region_;
  int intervals_ = 0;
  // Right side upwards from the axis, top from right to left, left side downwards to the axis: 2 n + 3 nodes, corners
  // twice.
  std::vector<std::complex<double>> points_, slopes_;
};

}  // namespace espalier::modes::detail
