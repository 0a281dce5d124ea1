#include "espalier/modes/detail/extent.hpp"

#include <algorithm>
#include <limits>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/modes/detail/certify.hpp"
#include "espalier/modes/range.hpp"

namespace espalier::modes::detail {
namespace {

// Above the last frequency that was asked for, above a box, and before the singularity.
constexpr double kAbove = 1.03, kAboveBox = 1.003, kBeforeSingularity = 0.8;
// Beyond the fastest creep, and how much faster than the highest frequency that may be.
constexpr double kAboveCreep = 1.5, kFarCreep = 1e3;

// 1 / eta: where Kelvin-Voigt damping has its essential singularity on the negative axis; infinite without.
double nearest_singularity(const Structure& structure) {
  double eta = 0;
  for (const Element& element : structure.elements) {
    if (const Beam* beam = std::get_if<Beam>(&element.law)) eta = std::max(eta, beam->kelvin_voigt);
  }
  return eta > 0 ? 1 / eta : std::numeric_limits<double>::infinity();
}

// How fast a point without mass creeps back against its dampers, at most: all stiffness there over the least damping. 0
// where there is none, or where elastic bodies have eigenvalues without end anyway.
double fastest_creep(const Structure& structure) {
  std::vector<double> stiffness(structure.vertices.size(), 0), damping(structure.vertices.size(), 0);
  const auto note = [&](std::size_t vertex, double k, double c) {
    stiffness[vertex] += k;
    if (c > 0) damping[vertex] = damping[vertex] > 0 ? std::min(damping[vertex], c) : c;
  };
  for (const Element& element : structure.elements) {
    const Hinge* hinge = std::get_if<Hinge>(&element.law);
    // Elastic bodies have eigenvalues without end, and no region would hold them all.
    if (hinge == nullptr) return 0;
    for (const int vertex : element.vertex) {
      for (std::size_t k = 0; k < 6; ++k) note(to_index(vertex), hinge->stiffness[k], hinge->damping[k]);
    }
  }
  double fastest = 0;
  for (std::size_t v = 0; v < structure.vertices.size(); ++v) {
    const Vertex& vertex = structure.vertices[v];
    for (Eigen::Index k = 0; k < 6; ++k) note(v, vertex.stiffness(k, k), vertex.damping(k, k));
    if (vertex.mass.isZero(0) && damping[v] > 0) fastest = std::max(fastest, stiffness[v] / damping[v]);
  }
  return fastest;
}

// Above so many frequencies without damping, or above all where there are fewer. Without any, damping alone says how
// fast things change.
Result<void> choose_top(const Structure& structure, const Tree& tree, int count, Extent& extent) {
  const Structure undamped = without_damping(structure);
  Result<Range> range = find_range(undamped, tree, count);
  ESPALIER_TRY(range);
  extent.counts = range->counts;
  if (range->beside == 0) {
    // Damping by mass alone decays no faster than its bound, so that twice of it holds all of them.
    extent.top = std::max(1.0, 2 * bound_damping(structure, DamperBy::kMass).high);
    return {};
  }
  if (range->beside < count) {
    // Once more for those that there are, so that the range ends above the last one and not where counting ended.
    range = find_range(undamped, tree, range->beside);
    ESPALIER_TRY(range);
    extent.counts += range->counts;
    // All are wanted: those that no mode leads to are too, unless they are of quite another time.
    const double creep = kAboveCreep * fastest_creep(structure);
    if (creep < kFarCreep * range->upto) extent.decay = creep;
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
  const double singular = extent.barrier = nearest_singularity(structure);
  // Eigenvalues gather there without end, and no search of that region would finish.
  if (decay >= singular) {
    return make_error(ErrorCode::kOption, {},
                      fmt::format("the region reaches s = -{:.6g} 1/s, where Kelvin-Voigt damping has infinitely many "
                                  "eigenvalues: ask for a smaller decay",
                                  singular));
  }
  // A region as wide as it is high has its edge far from the eigenvalues; a box may be narrow.
  const double wide = std::min(extent.top, kBeforeSingularity * singular);
  extent.decay = options.box ? std::max(decay, wide) : decay > 0 ? decay : std::max(wide, extent.decay);
  return extent;
}

}  // namespace espalier::modes::detail
