#define ESPALIER_INSTRUCTIONS avx512
#include "espalier/dynamics/detail/kernel_passes.inc"

namespace espalier::dynamics::detail {

extern const KernelTable kSingle_avx512 = avx512::Passes<double>::table("avx512");
extern const KernelTable kBatch_avx512 = avx512::Passes<avx512::Pack>::table("avx512");

}  // namespace espalier::dynamics::detail
