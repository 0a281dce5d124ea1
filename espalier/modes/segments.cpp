#include "espalier/modes/results.hpp"

#include <algorithm>
#include <cmath>

#include "espalier/base/index.hpp"

namespace espalier::modes {
namespace {

using Complex = std::complex<double>;

constexpr double kBeyond = 1.05;

// Segments cost C / n^2: a third of the change more, and what is left of it is of higher order.
// (M18), with n and with 2n segments.
Complex extrapolated(Complex coarse, Complex fine) { return coarse + 4.0 / 3.0 * (fine - coarse); }
double error_of(Complex coarse, Complex fine) {
  return std::abs(extrapolated(coarse, fine) - coarse) / std::abs(coarse);
}

void compare_in_order(ModeSet& set, const ModeSet& finer) {
  std::vector<Complex> all;
  // Equal frequencies one by one: the finer structure may part them.
  for (const Mode& mode : finer.modes) all.insert(all.end(), to_index(mode.multiplicity), mode.s);
  std::size_t first = 0;
  for (Mode& mode : set.modes) {
    const std::size_t end = first + to_index(mode.multiplicity);
    // Of equal frequencies the error of the one that moves most, and the middle of all.
    Complex sum = 0;
    for (std::size_t k = first; k < std::min(end, all.size()); ++k) {
      if (mode.s == 0.0) continue;
      mode.segment_error = std::max(mode.segment_error.value_or(0), error_of(mode.s, all[k]));
      sum += extrapolated(mode.s, all[k]);
    }
    if (mode.segment_error && end <= all.size()) mode.tapered = sum / static_cast<double>(mode.multiplicity);
    first = end;
  }
}

void compare_with_nearest(ModeSet& set, const ModeSet& finer) {
  for (Mode& mode : set.modes) {
    // In the plane there is no order: damping may exchange two of almost one frequency.
    const auto nearest = std::min_element(finer.modes.begin(), finer.modes.end(), [&](const Mode& a, const Mode& b) {
      return std::abs(a.s - mode.s) < std::abs(b.s - mode.s);
    });
    if (nearest == finer.modes.end() || mode.s == 0.0) continue;
    mode.segment_error = error_of(mode.s, nearest->s);
    mode.tapered = extrapolated(mode.s, nearest->s);
  }
}

}  // namespace

ModesOptions finer_options(const ModeSet& set, const ModesOptions& options) {
  ModesOptions finer = options;
  finer.box.reset();
  // A little beyond: the last mode of the finer structure may be higher.
  finer.max_frequency = kBeyond * set.upto;
  finer.max_decay = set.decay;
  finer.shapes = false;
  return finer;
}

void estimate_segments(ModeSet& set, const ModeSet& finer) {
  set.damped ? compare_with_nearest(set, finer) : compare_in_order(set, finer);
}

}  // namespace espalier::modes
