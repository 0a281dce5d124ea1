#define ESPALIER_INSTRUCTIONS avx2
#define ESPALIER_LANES 4
#include "espalier/modes/detail/chain_kernel_passes.inc"

namespace espalier::modes::detail {

extern const ChainKernel kChain_avx2 = avx2::kernel("avx2");

}  // namespace espalier::modes::detail
