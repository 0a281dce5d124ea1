#include "espalier/math/lanes.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace espalier::math {

namespace {

Instructions of_this_machine() {
#if defined(ESPALIER_AVX)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return Instructions::kAvx512;
  }
  if (__builtin_cpu_supports("avx2")) return Instructions::kAvx2;
#endif
  return Instructions::kPlain;
}

// The most that the environment allows; a word that is not known allows all.
Instructions allowed() {
  const char* word = std::getenv("ESPALIER_INSTRUCTIONS");
  if (word == nullptr) return Instructions::kAvx512;
  if (std::string_view(word) == "plain") return Instructions::kPlain;
  return std::string_view(word) == "avx2" ? Instructions::kAvx2 : Instructions::kAvx512;
}

}  // namespace

Instructions best_instructions() {
  // Kept: it is asked for at every step of a batch.
  static const Instructions best = std::min(of_this_machine(), allowed());
  return best;
}

}  // namespace espalier::math
