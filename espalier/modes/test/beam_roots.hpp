#pragma once

// Roots of the damped beam to as many modes as one likes, how far the plain product is off them, and how far what
// find_modes() finds.

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "espalier/modes/modes.hpp"
#include "espalier/modes/transfer.hpp"

namespace espalier::modes {

// Muller's parabola through three values; nothing where it has not come to rest after so many steps.
template <class F>
std::optional<std::complex<double>> muller(const F& f, std::complex<double> start, double step, int most_steps = 40) {
  using C = std::complex<double>;
  C x0 = start - step, x1 = start + step, x2 = start;
  C f0 = f(x0), f1 = f(x1), f2 = f(x2);
  double moved = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_steps; ++k) {
    const C d01 = (f1 - f0) / (x1 - x0), d12 = (f2 - f1) / (x2 - x1), second = (d12 - d01) / (x2 - x0);
    const C slope = d12 + second * (x2 - x1), root = std::sqrt(slope * slope - 4.0 * f2 * second);
    const C divisor = std::abs(slope + root) > std::abs(slope - root) ? slope + root : slope - root;
    if (f2 == 0.0) return x2;
    const C change = -2.0 * f2 / divisor;
    if (!std::isfinite(std::abs(change))) return moved < 1e-6 * std::abs(x2) ? std::optional(x2) : std::nullopt;
    const double size = std::abs(change);
    // At the bottom of rounding the changes do not shrink any more.
    if (size < 1e-15 * std::abs(x2) || (size < 1e-8 * std::abs(x2) && size >= moved)) return x2 + change;
    moved = size;
    x0 = x1, f0 = f1;
    x1 = x2, f1 = f2;
    x2 += change, f2 = f(x2);
  }
  return std::nullopt;
}

// The lowest roots of the chain with Im s > 0, by its compound determinant, each started from those before: sqrt(Im s)
// grows by nearly equal steps. Starts from the first two.
inline std::vector<std::complex<double>> beam_roots(std::span<const BendingSegment> segments, std::size_t count,
                                                    std::vector<std::complex<double>> starts) {
  std::vector<std::complex<double>> out;
  while (out.size() < count) {
    std::complex<double> start = out.size() < starts.size() ? starts[out.size()] : std::complex<double>();
    if (out.size() >= starts.size()) {
      const double last = std::sqrt(out.back().imag()), before = std::sqrt(out[out.size() - 2].imag());
      start = {out.back().real(), (2 * last - before) * (2 * last - before)};
    }
    // Divided by the exponent at the start: a constant factor, so that the function stays smooth.
    const std::int64_t exponent = compound_determinant(segments, start).exponent;
    const auto f = [&](std::complex<double> s) {
      const Scaled<std::complex<double>> value = compound_determinant(segments, s);
      return value.mantissa * std::ldexp(1.0, static_cast<int>(value.exponent - exponent));
    };
    const std::optional<std::complex<double>> root = muller(f, start, 1e-3 * std::abs(start));
    if (!root) return out;
    out.push_back(*root);
  }
  return out;
}

// Relative error of the root to which the plain product leads from a thousandth beside the exact one: the worst of four
// sides, since a determinant that is nothing but rounding has its zeros anywhere. Nothing where it leads from one side
// to no root, or to one that is hardly nearer than where it started.
inline std::optional<double> plain_root_error(std::span<const BendingSegment> segments, std::complex<double> exact) {
  const auto f = [&](std::complex<double> s) { return plain_determinant(segments, s); };
  const double beside = 1e-3 * std::abs(exact);
  double worst = 0;
  for (const std::complex<double> side : {std::complex(1.0, 0.0), {-1.0, 0.0}, {0.0, 1.0}, {0.0, -1.0}}) {
    const std::optional<std::complex<double>> root = muller(f, exact + beside * side, 0.1 * beside);
    if (!root || !(std::abs(*root - exact) < 0.5 * beside)) return std::nullopt;
    worst = std::max(worst, std::abs(*root - exact) / std::abs(exact));
  }
  return worst;
}

// Relative error of what find_modes() finds, by root; nothing where it finds none nearer than a thousandth.
inline std::vector<std::optional<double>> found_root_errors(const Structure& structure,
                                                            std::span<const std::complex<double>> exact) {
  ModesOptions options;
  options.max_frequency = exact.back().imag() * 1.005;
  options.shapes = false;
  std::vector<std::optional<double>> errors(exact.size());
  const Result<Tree> tree = plan_tree(structure);
  if (!tree) return errors;
  const Result<ModeSet> set = find_modes(comm::Comm::serial(), structure, *tree, options);
  if (!set) return errors;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    for (const Mode& mode : set->modes) {
      const double error = std::abs(mode.s - exact[k]) / std::abs(exact[k]);
      if (error < errors[k].value_or(1e-3)) errors[k] = error;
    }
  }
  return errors;
}

}  // namespace espalier::modes
