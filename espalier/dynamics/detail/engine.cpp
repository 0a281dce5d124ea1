#include "espalier/dynamics/detail/engine.hpp"

#include <cstddef>
#include <cstring>

#include "espalier/base/check.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kLinkSize = sizeof(LinkState<double>) / sizeof(double);

}  // namespace

Engine::Aligned Engine::allocate(std::size_t doubles) {
  const std::size_t bytes = (doubles * sizeof(double) + kCacheLine - 1) / kCacheLine * kCacheLine;
  auto* memory = static_cast<double*>(std::aligned_alloc(kCacheLine, std::max(bytes, kCacheLine)));
  ESPALIER_CHECK(memory != nullptr, "there is memory for the kernel");
  std::memset(memory, 0, std::max(bytes, kCacheLine));
  return Aligned(memory);
}

Engine::Engine(const System& system, const std::vector<bool>& dropped, int lanes)
    : program_(make_program(system, dropped)),
      table_(lanes == 1 ? &single_kernel() : &batch_kernel()),
      lanes_(lanes),
      links_(allocate(program_.links.size() * kLinkSize * static_cast<std::size_t>(lanes))),
      scratch_(allocate(static_cast<std::size_t>(program_.scratch) * static_cast<std::size_t>(lanes))) {
  memory_.program = &program_;
  memory_.links = links_.get();
  memory_.scratch = scratch_.get();
  // The world: axes x y z, and the upward acceleration that stands for gravity.
  for (int axis = 0; axis < 3; ++axis) {
    constexpr std::size_t kDrift = offsetof(LinkState<double>, drift.linear) / sizeof(double);
    std::fill_n(links_.get() + 4 * axis * lanes, lanes, 1.0);
    std::fill_n(links_.get() + (kDrift + static_cast<std::size_t>(axis)) * static_cast<std::size_t>(lanes), lanes,
                -system.gravity[axis]);
  }
  for (const Term& term : program_.terms) {
    if (term.drive) std::fill_n(scratch(term.ratio_at), lanes, term.ratio);
  }
}

bool Engine::factor(const double* effort) {
  memory_.failed = -1;
  std::fill(scratch(program_.zeroed.begin), scratch(program_.zeroed.end), 0.0);
  table_->factor(memory_, 0, links(), effort);
  return memory_.failed < 0;
}

}  // namespace espalier::dynamics::detail
