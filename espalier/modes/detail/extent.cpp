#include "espalier/modes/detail/extent.hpp"

#include <algorithm>
#include <limits>
#include <variant>

#include <fmt/format.h>

#include "espalier/modes/certify.hpp"
#include "espalier/modes/range.hpp"

namespace espalier::modes::detail {
namespace {

// Above the last frequency that was asked for, above a box, and before the singularity.
constexpr double kAbove = 1.03, kAboveBox = 1.003, kBeforeSingularity = 0.8;

// 1 / eta: where Kelvin-Voigt damping has its essential singularity on the negative axis; infinite without.
double nearest_singularity(const Structure& structure) {
  double eta = 0;
  for (const Element& element : structure.elements) {
    if (const Beam* beam = std::get_if<Beam>(&element.law)) eta = std::max(eta, beam->kelvin_voigt);
  }
  return eta > 0 ? 1 / eta : std::numeric_limits<double>::infinity();
}

// Above so many frequencies without damping, or above all where there are fewer. Without any, damping alone says how
// fast things change.
Result<void> choose_top(const Structure& structure, const Tree& tree, int count, Extent& extent) {
  const Structure undamped = without_damping(structure);
  Result<Range> range = find_range(undamped, tree, count);
  ESPALIER_TRY(range);
  extent.counts = range->counts;
  if (range->beside == 0) {
    extent.top = std::max(1.0, 2 * bound_damping(structure, DamperBy::kMass).high);
    return {};
  }
  if (range->beside < count) {
    range = find_range(undamped, tree, range->beside);
    ESPALIER_TRY(range);
    extent.counts += range->counts;
  }
  extent.top = kAbove * range->upto;
  return {};
}

}  // namespace

Result<Extent> choose_extent(const Structure& structure, const Tree& tree, const ModesOptions& options) {
  Extent extent;
  extent.top = options.max_frequency;
  double decay = options.max_decay;
  if (options.box) {
    extent.top = kAboveBox * options.box->top;
    decay = -options.box->left;
  } else if (!(extent.top > 0)) {
    const Result<void> chosen = choose_top(structure, tree, options.count, extent);
    ESPALIER_TRY(chosen);
  }
  const double singular = nearest_singularity(structure);
  if (decay >= singular) {
    return make_error(ErrorCode::kOption, {},
                      fmt::format("the region reaches s = -{:.6g} 1/s, where Kelvin-Voigt damping has infinitely many "
                                  "eigenvalues: ask for a smaller decay",
                                  singular));
  }
  // A region as wide as it is high has its edge far from the eigenvalues; a box may be narrow.
  const double wide = std::min(extent.top, kBeforeSingularity * singular);
  extent.decay = options.box ? std::max(decay, wide) : decay > 0 ? decay : wide;
  return extent;
}

}  // namespace espalier::modes::detail
