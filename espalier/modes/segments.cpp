#include "espalier/modes/segments.hpp"

#include <algorithm>
#include <cmath>

namespace espalier::modes {
namespace {

using Complex = std::complex<double>;

constexpr double kBeyond = 1.05;

double error_of(Complex coarse, Complex fine) { return 4.0 / 3.0 * std::abs(fine - coarse) / std::abs(coarse); }

void compare_in_order(ModeSet& set, const ModeSet& finer) {
  std::vector<Complex> all;
  for (const Mode& mode : finer.modes) all.insert(all.end(), static_cast<std::size_t>(mode.multiplicity), mode.s);
  std::size_t first = 0;
  for (Mode& mode : set.modes) {
    const std::size_t end = first + static_cast<std::size_t>(mode.multiplicity);
    // Of equal frequencies the one that moves most.
    for (std::size_t k = first; k < std::min(end, all.size()); ++k) {
      if (mode.s != 0.0) mode.segment_error = std::max(mode.segment_error.value_or(0), error_of(mode.s, all[k]));
    }
    first = end;
  }
}

void compare_with_nearest(ModeSet& set, const ModeSet& finer) {
  for (Mode& mode : set.modes) {
    const auto nearest = std::min_element(finer.modes.begin(), finer.modes.end(), [&](const Mode& a, const Mode& b) {
      return std::abs(a.s - mode.s) < std::abs(b.s - mode.s);
    });
    if (nearest != finer.modes.end() && mode.s != 0.0) mode.segment_error = error_of(mode.s, nearest->s);
  }
}

}  // namespace

ModesOptions finer_options(const ModeSet& set, const ModesOptions& options) {
  ModesOptions finer = options;
  finer.box.reset();
  finer.max_frequency = kBeyond * set.upto;
  finer.max_decay = set.decay;
  finer.shapes = false;
  return finer;
}

void estimate_segments(ModeSet& set, const ModeSet& finer) {
  set.damped ? compare_with_nearest(set, finer) : compare_in_order(set, finer);
}

}  // namespace espalier::modes
