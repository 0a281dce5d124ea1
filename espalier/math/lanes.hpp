#pragma once

// Code over a scalar that is a double or a pack of doubles, one a lane: the same operations in the same order, so that
// every lane gives the bits of the single evaluation. Such code is compiled once for each instruction set, and the
// program takes the best that its machine can run.

namespace espalier::math {

// Always inlined: no copy of a function made for one instruction set may be linked into code for another.
#define ESPALIER_INLINE [[gnu::always_inline]] inline

enum class Instructions { kPlain, kAvx2, kAvx512 };
// The best of this machine; at most what the environment variable ESPALIER_INSTRUCTIONS says (plain, avx2, avx512), so
// that the kernels for lesser machines can be tried on a better one.
Instructions best_instructions();

}  // namespace espalier::math
