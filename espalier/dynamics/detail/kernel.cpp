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
  static const KernelTable& best = *single_kernels().back();
  return best;
}

const KernelTable& batch_kernel() {
  static const KernelTable& best = *batch_kernels().back();
  return best;
}

int least_batch() { return best_instructions() == Instructions::kAvx512 ? 3 : kLanes + 1; }

}  // namespace espalier::dynamics::detail
