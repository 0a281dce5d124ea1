#include "espalier/modes/range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "espalier/modes/detail/beam_fields.hpp"
#include "espalier/modes/undamped.hpp"

namespace espalier::modes {
namespace {

// A sweep is good for all frequencies below its bound, and making one costs as much as a dozen counts: it is made for
// the next decade too.
constexpr double kAhead = 10;
constexpr double kFirstBound = 1000;  // [rad/s]

// Up to here a sweep costs no more than at 0: no beam has to be cut.
double uncut_upto(const Structure& structure) {
  double upto = std::numeric_limits<double>::infinity();
  for (const Element& element : structure.elements) {
    if (const Beam* beam = std::get_if<Beam>(&element.law)) upto = std::min(upto, detail::uncut_upto(*beam));
  }
  return std::isfinite(upto) ? upto : 0;
}

}  // namespace

Result<Range> find_range(const Structure& structure, const Tree& tree, int count) {
  Range range;
  const double first_bound = std::max(kFirstBound, uncut_upto(structure));
  std::optional<SweepWorkspace> work;
  const auto below = [&](double omega) -> Result<int> {
    if (!work || omega > range.sweep.largest_s) {
      Result<Sweep> sweep = make_sweep(structure, tree, std::max(first_bound, kAhead * omega));
      ESPALIER_TRY(sweep);
      range.sweep = *std::move(sweep);
      work.emplace(range.sweep);
    }
    ++range.counts;
    return count_below(range.sweep, omega, *work).below;
  };
  // 1. From 1 rad/s up in decades until there are enough; free motions are there from the beginning.
  constexpr double kHighest = 1e12;
  constexpr int kMostPieces = 10'000'000;
  double high = 1, low = 0;
  Result<int> there = below(high);
  ESPALIER_TRY(there);
  const Result<int> free = below(kFreeMotion);
  ESPALIER_TRY(free);
  const int wanted = *free + count;
  while (*there < wanted && high < kHighest && range.sweep.pieces < kMostPieces) {
    low = high;
    high *= 10;
    there = below(high);
    ESPALIER_TRY(there);
  }
  // 2. Down to where they are not many more.
  while (*there > wanted && (low == 0 ? high > kFreeMotion : high > 1.01 * low)) {
    const double middle = low == 0 ? high / 10 : std::sqrt(low * high);
    const Result<int> fewer = below(middle);
    ESPALIER_TRY(fewer);
    if (*fewer >= wanted) {
      high = middle;
      there = fewer;
    } else {
      low = middle;
    }
  }
  range.beside = *there - *free;
  range.upto = high;
  // 3. A sweep of no more pieces than this takes.
  if (range.sweep.pieces <= static_cast<int>(structure.elements.size())) return range;
  Result<Sweep> sweep = make_sweep(structure, tree, high);
  ESPALIER_TRY(sweep);
  range.sweep = *std::move(sweep);
  return range;
}

}  // namespace espalier::modes
