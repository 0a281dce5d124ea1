#include "espalier/dynamics/detail/kernel.hpp"

namespace espalier::dynamics::detail {

extern const KernelTable kSingle_plain, kBatch_plain;
#if defined(__x86_64__)
extern const KernelTable kSingle_avx2, kBatch_avx2;
extern const KernelTable kSingle_avx512, kBatch_avx512;
#endif

#if defined(__x86_64__)
namespace {

bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

}  // namespace
#endif

std::vector<const KernelTable*> single_kernels() {
  std::vector<const KernelTable*> tables{&kSingle_plain};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) tables.push_back(&kSingle_avx2);
  if (has_avx512()) tables.push_back(&kSingle_avx512);
#endif
  return tables;
}

std::vector<const KernelTable*> batch_kernels() {
  std::vector<const KernelTable*> tables{&kBatch_plain};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) tables.push_back(&kBatch_avx2);
  if (has_avx512()) tables.push_back(&kBatch_avx512);
#endif
  return tables;
}

const KernelTable& single_kernel() {
  static const KernelTable& best = *single_kernels().back();
  return best;
}
int least_batch() {
#if defined(__x86_64__)
  static const bool wide = has_avx512();
  return wide ? 3 : kLanes + 1;
#else
  return kLanes + 1;
#endif
}
const KernelTable& batch_kernel() {
  static const KernelTable& best = *batch_kernels().back();
  return best;
}

}  // namespace espalier::dynamics::detail
