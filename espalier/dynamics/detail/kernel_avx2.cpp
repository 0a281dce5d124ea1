#define ESPALIER_INSTRUCTIONS avx2
#include "espalier/dynamics/detail/kernel_passes.inc"

namespace espalier::dynamics::detail {

extern const KernelTable kSingle_avx2 = avx2::Passes<double>::table("avx2");
extern const KernelTable kBatch_avx2 = avx2::Passes<avx2::Pack>::table("avx2");

}  // namespace espalier::dynamics::detail
