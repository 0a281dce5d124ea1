#include "bench/separation.hpp"

#include <cmath>

#include <Eigen/LU>

#include "espalier/modes/transfer.hpp"

namespace bench {

namespace modes = espalier::modes;
using Complex = std::complex<double>;

// Rows of a joint: y, y', EI y'' and EI y''' at the end of one segment less those at the start of the next. The general
// solution is c0 S + c1 T + c2 U + c3 V of the segment's own coordinate, with Krylov's functions.
modes::Scaled<Complex> separated_determinant(std::span<const modes::BendingSegment> segments, Complex s) {
  const int n = static_cast<int>(segments.size());
  Eigen::MatrixXcd matrix = Eigen::MatrixXcd::Zero(4 * n, 4 * n);
  matrix(0, 0) = matrix(1, 1) = 1;  // y = y' = 0 at the clamp
  for (int k = 0; k < n; ++k) {
    const modes::BendingSegment& segment = segments[static_cast<std::size_t>(k)];
    const Complex EI = segment.EI * (1.0 + segment.eta * s);
    const Complex load = (segment.rho_A * s + segment.viscous) * s + segment.foundation;
    modes::BendingTransfer ends = modes::bending_transfer(segment.length, EI, load);
    ends.rightCols<2>() *= EI;  // c2, c3 are y'' and y''' at the start
    if (k + 1 == n) {
      matrix.block<2, 4>(4 * n - 2, 4 * k) = ends.bottomRows<2>();
      break;
    }
    matrix.block<4, 4>(2 + 4 * k, 4 * k) = ends;
    const modes::BendingSegment& next = segments[static_cast<std::size_t>(k) + 1];
    const Complex stiffness = next.EI * (1.0 + next.eta * s);
    matrix.block<4, 4>(2 + 4 * k, 4 * k + 4).diagonal() << -1.0, -1.0, -stiffness, -stiffness;
  }
  return modes::determinant(std::move(matrix));
}

}  // namespace bench
