#include "espalier/modes/response.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "espalier/modes/modes.hpp"

namespace espalier::modes {
namespace {

using Complex = std::complex<double>;
using ResponseAt = std::function<Result<std::vector<Complex>>(std::span<const double>)>;

// An undamped response is looked at so far beside an eigenfrequency, relative; where it does not change its sign by
// more than this part of its size there, the force does not move the mode or the answer does not see it.
constexpr double kBeside = 1e-6, kSeen = 1e-3;
// A damped one so many times the decay beside a mode.
constexpr double kWidth = 3;
constexpr int kMostHalvings = 60;
constexpr double kNear = 1e-9;  // of a peak, relative
constexpr double kSamePeak = 1e-6;

Result<std::vector<Peak>> infinite_peaks(const ModeSet& set, double from, double to, const ResponseAt& at) {
  std::vector<Peak> peaks;
  for (const Mode& mode : set.modes) {
    const double x = mode.s.imag();
    if (!(x >= from && x <= to && x > 0)) continue;
    const std::array<double, 2> beside = {x * (1 - kBeside), x * (1 + kBeside)};
    const Result<std::vector<Complex>> values = at(beside);
    ESPALIER_TRY(values);
    const double below = (*values)[0].real(), above = (*values)[1].real();
    // Beside x the response is R / (x^2 - omega^2) and a rest: the one changes its sign, the other does not.
    const double turns = (below - above) / 2, stays = std::abs(below + above) / 2;
    if (!(std::abs(turns) > kSeen * stays)) continue;
    peaks.push_back({x, {}, true, turns * 2 * kBeside * x * x});
  }
  return peaks;
}

// The largest |response| between two frequencies by the golden section; none where it is at an end.
Result<void> add_peak(double low, double high, const ResponseAt& at, std::vector<Peak>& peaks) {
  const double golden = (3 - std::sqrt(5.0)) / 2, begin = low, end = high;
  Peak best;
  for (int k = 0; k < kMostHalvings && high - low > kNear * high; ++k) {
    const std::array<double, 2> inner = {low + golden * (high - low), high - golden * (high - low)};
    // Both inner points together: a pass is made once for a list of frequencies.
    const Result<std::vector<Complex>> values = at(inner);
    ESPALIER_TRY(values);
    const bool first = std::abs((*values)[0]) > std::abs((*values)[1]);
    best = first ? Peak{inner[0], (*values)[0]} : Peak{inner[1], (*values)[1]};
    (first ? high : low) = inner[first ? 1 : 0];
  }
  const double edge = 1e-3 * (end - begin);
  const bool known = std::any_of(peaks.begin(), peaks.end(), [&](const Peak& peak) {
    return std::abs(peak.omega - best.omega) < kSamePeak * best.omega;
  });
  // A maximum at an end is the flank of another peak.
  if (!known && best.omega > begin + edge && best.omega < end - edge) peaks.push_back(best);
  return {};
}

Result<std::vector<Peak>> finite_peaks(const ModeSet& set, std::span<const double> omega,
                                       std::span<const Complex> values, const ResponseAt& at) {
  std::vector<Peak> peaks;
  const auto size = [&](std::size_t k) { return std::abs(values[k]); };
  for (std::size_t k = 1; k + 1 < values.size(); ++k) {
    // Peaks that the samples show, and below those that modes foretell between them.
    if (!(size(k) > size(k - 1) && size(k) >= size(k + 1))) continue;
    const Result<void> added = add_peak(omega[k - 1], omega[k + 1], at, peaks);
    ESPALIER_TRY(added);
  }
  for (const Mode& mode : set.modes) {
    const double x = mode.s.imag(), width = kWidth * -mode.s.real();
    const double low = std::max(omega.front(), x - width), high = std::min(omega.back(), x + width);
    if (!(x > 0) || !(low < high)) continue;
    const Result<void> added = add_peak(low, high, at, peaks);
    ESPALIER_TRY(added);
  }
  std::sort(peaks.begin(), peaks.end(), [](const Peak& a, const Peak& b) { return a.omega < b.omega; });
  return peaks;
}

}  // namespace

Result<std::vector<Peak>> find_peaks(const Structure& structure, const Tree& tree, const Place& force,
                                     const Place& answer, std::span<const double> omega,
                                     std::span<const Complex> values) {
  if (omega.size() < 2) return std::vector<Peak>();
  ModesOptions options;
  options.max_frequency = omega.back();
  options.shapes = false;
  const Result<ModeSet> set = find_modes(comm::Comm::serial(), structure, tree, options);
  ESPALIER_TRY(set);
  const ResponseAt at = [&](std::span<const double> points) {
    return find_response(structure, tree, force, answer, points);
  };
  return set->damped ? finite_peaks(*set, omega, values, at) : infinite_peaks(*set, omega.front(), omega.back(), at);
}

}  // namespace espalier::modes
