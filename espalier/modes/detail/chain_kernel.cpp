#include "espalier/modes/detail/chain_kernel.hpp"

#include "espalier/modes/transfer.hpp"

namespace espalier::modes::detail {

extern const ChainKernel kChain_plain;
#if defined(ESPALIER_AVX)
extern const ChainKernel kChain_avx2, kChain_avx512;
#endif

std::vector<const ChainKernel*> chain_kernels() {
  std::vector<const ChainKernel*> kernels{&kChain_plain};
#if defined(ESPALIER_AVX)
  const math::Instructions best = math::best_instructions();
  if (best >= math::Instructions::kAvx2) kernels.push_back(&kChain_avx2);
  if (best >= math::Instructions::kAvx512) kernels.push_back(&kChain_avx512);
#endif
  return kernels;
}

void krylov_pairs(const double* w, double* out) {
  const Krylov k = krylov({w[0], w[1]});
  for (const Complex& value : {k.S, k.T, k.U, k.V}) {
    *out++ = value.real();
    *out++ = value.imag();
  }
}

const ChainKernel& chain_kernel() {
  static const ChainKernel& best = *chain_kernels().back();
  return best;
}

}  // namespace espalier::modes::detail
