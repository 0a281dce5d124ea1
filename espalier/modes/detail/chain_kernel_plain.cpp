#define ESPALIER_INSTRUCTIONS plain
#define ESPALIER_LANES 2
#include "espalier/modes/detail/chain_kernel_passes.inc"

namespace espalier::modes::detail {

extern const ChainKernel kChain_plain = plain::kernel("plain");

}  // namespace espalier::modes::detail
