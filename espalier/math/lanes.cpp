#include "espalier/math/lanes.hpp"

namespace espalier::math {

Instructions best_instructions() {
#if defined(ESPALIER_AVX)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return Instructions::kAvx512;
  }
  if (__builtin_cpu_supports("avx2")) return Instructions::kAvx2;
#endif
  return Instructions::kPlain;
}

}  // namespace espalier::math
