#pragma once

// The product of 4 x 4 transfer matrices of a bending chain, at one s or at some of them at once. All of them give the
// same bits (math/lanes.hpp).

#include <vector>

#include "espalier/math/lanes.hpp"
#include "espalier/modes/bending_segment.hpp"

namespace espalier::modes::detail {

// Complex numbers are pairs of doubles here: functions of std::complex that are not inlined would be compiled for one
// instruction set and linked into code for another.
struct ChainKernel {
  const char* name = "";
  int lanes = 1;
  void (*determinant)(const BendingSegment* segments, int count, const double* s, double* out);
  // At `lanes` numbers s.
  void (*determinants)(const BendingSegment* segments, int count, const double* s, double* out);
  // By columns.
  void (*product)(const BendingSegment* segments, int count, const double* s, double* out);
};

const ChainKernel& chain_kernel();
// For tests: all that this machine can run, the plainest first.
std::vector<const ChainKernel*> chain_kernels();

// Krylov's functions S, T, U, V of w, as pairs.
void krylov_pairs(const double* w, double* out);

}  // namespace espalier::modes::detail
