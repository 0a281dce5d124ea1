#pragma once

// Modes by the searches of the literature, on the determinant of the overall transfer matrix: to compare with, and to
// reproduce published tables. They do not know whether an eigenvalue is missing, and products of transfer matrices lose
// digits with every mode (transfer.hpp), so that high modes are not found at all.

#include <complex>
#include <optional>
#include <span>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/modes/baseline/spread.hpp"
#include "espalier/modes/mode_set.hpp"
#include "espalier/modes/transfer.hpp"

namespace espalier::modes::baseline {

// A chain that bends in one plane has a product of 4 x 4 matrices; it is a thousand times as fast as the general one.
struct SearchFunction {
  std::optional<std::vector<BendingSegment>> chain;
  OverallEquation equation;  // where there is no chain
  int slices = 0;            // of elements in one evaluation

  // The determinant's absolute value, or the logarithm of that. Several threads may ask at a time.
  double size(std::complex<double> s) const;
  // size() at some points.
  void sizes(std::span<const Point> at, std::span<double> values) const;
  // size() out of the products of up to kParts parts of the chain, which round in another way, or out of the transfer
  // matrices of all elements. Refers to this.
  PartedFunction in_parts() const;
  static constexpr int kParts = 16;
  // A number with the sign of the determinant, where that is real: at s = i omega of an undamped structure.
  double sign(double omega) const;
};
Result<SearchFunction> make_search_function(const Structure& structure, const Tree& tree);

// Collective. find_modes() for the methods kRecursive and kBisection. Bisection is the same work on each rank. Errors:
// as those of make_overall(); bisection of a damped structure.
Result<ModeSet> search_modes(const comm::Comm& comm, const Structure& structure, const Tree& tree,
                             const ModesOptions& options);

}  // namespace espalier::modes::baseline
