#define ESPALIER_INSTRUCTIONS avx512
#define ESPALIER_LANES 8
#include "espalier/modes/detail/chain_kernel_passes.inc"

namespace espalier::modes::detail {

extern const ChainKernel kChain_avx512 = avx512::kernel("avx512");

}  // namespace espalier::modes::detail
