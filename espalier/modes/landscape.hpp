#pragma once

// The determinant over the plane of s, or along the frequencies of an undamped structure: what the methods search in.

#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/modes/mode_set.hpp"
#include "espalier/modes/tree.hpp"

namespace espalier::modes {

struct Landscape {
  Box box;                         // left == right: along the axis alone
  int columns = 1, rows = 0;       // samples along Re s and Im s
  std::vector<double> log10_size;  // of |det|; row by row from the lowest Im s, each from the lowest Re s
  std::vector<int> sign;           // of det, of an undamped structure along the axis; else empty
};

// kAuto: the determinant of the sweep, which keeps its digits; else that of the overall transfer matrix, which the
// literature's searches look at. Samples are in the middle of columns x rows cells of the box; along the axis they are
// equally spaced from bottom to top, both among them, but for 0. As many evaluations.
Result<Landscape> sample_landscape(const Structure& structure, const Tree& tree, Method method, const Box& box,
                                   int columns, int rows);

}  // namespace espalier::modes
