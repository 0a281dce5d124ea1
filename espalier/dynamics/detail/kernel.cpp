#include "espalier/dynamics/detail/kernel.hpp"

#include "espalier/math/lanes.hpp"

namespace espalier::dynamics::detail {

using math::best_instructions;
using math::Instructions;

extern const KernelTable kSingle_plain, kBatch_plain;
#if defined(ESPALIER_AVX)
extern const KernelTable kSingle_avx2, kBatch_avx2;
extern const KernelTable kSingle_avx512, kBatch_avx512;
#endif

std::vector<const KernelTable*> single_kernels() {
  // From the slowest to the fastest; tests compare all of them bit by bit.
  std::vector<const KernelTable*> tables{&kSingle_plain};
#if defined(ESPALIER_AVX)
  if (best_instructions() >= Instructions::kAvx2) tables.push_back(&kSingle_avx2);
  if (best_instructions() >= Instructions::kAvx512) tables.push_back(&kSingle_avx512);
#endif
  return tables;
}

std::vector<const KernelTable*> batch_kernels() {
  std::vector<const KernelTable*> tables{&kBatch_plain};
#if defined(ESPALIER_AVX)
  if (best_instructions() >= Instructions::kAvx2) tables.push_back(&kBatch_avx2);
  if (best_instructions() >= Instructions::kAvx512) tables.push_back(&kBatch_avx512);
#endif
  return tables;
}

const KernelTable& single_kernel() {
  // The machine does not change while the program runs.
  static const KernelTable& best = *single_kernels().back();
  return best;
}

const KernelTable& batch_kernel() {
  static const KernelTable& best = *batch_kernels().back();
  return best;
}

// A pack costs about as much as three states alone; without AVX-512 it never pays.
int least_batch() { return best_instructions() == Instructions::kAvx512 ? 3 : kLanes + 1; }

}  // namespace espalier::dynamics::detail
