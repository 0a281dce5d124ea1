#include "espalier/modes/modes.hpp"

#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "espalier/modes/shapes.hpp"
#include "espalier/modes/undamped.hpp"

namespace espalier::modes {
namespace {

// Free motions are looked at well below the slowest vibration that could be told from them.
constexpr double kSlow = 0.1;

std::string certificate_text(const RootSet& set, int found) {
  if (!set.proved) {
    return fmt::format(
        "{} found, {} counted below {:.6g} rad/s, but some counts stand too near to an eigenfrequency to "
        "be beyond doubt",
        found, set.counted, set.upto);
  }
  return fmt::format("{} found, {} counted below {:.6g} rad/s by inertia, and one count on either side of each", found,
                     set.counted, set.upto);
}

ModeSet make_modes(const Structure& structure, const Sweep& sweep, const RootSet& roots, bool shapes) {
  ModeSet set;
  for (const Root& root : roots.roots) {
    Mode mode;
    mode.s = {0, root.omega};
    mode.multiplicity = root.multiplicity;
    mode.bracket = {root.low, root.high};
    mode.error = root.step;
    if (shapes) {
      const double at = root.omega > 0 ? root.omega : kSlow * kFreeMotion * roots.upto;
      mode.shapes = find_shapes(structure, sweep, at, root.multiplicity);
    }
    set.found += root.multiplicity;
    set.modes.push_back(std::move(mode));
  }
  set.counted = roots.counted;
  set.certainty = roots.proved ? Certainty::kProved : Certainty::kNone;
  set.certificate = certificate_text(roots, set.found);
  set.upto = roots.upto;
  set.evaluations = roots.evaluations;
  set.pieces = sweep.pieces;
  return set;
}

}  // namespace

const char* word(Certainty certainty) {
  switch (certainty) {
    case Certainty::kProved:
      return "proved";
    case Certainty::kChecked:
      return "checked";
    case Certainty::kNone:
      break;
  }
  return "none";
}

Result<Tree> plan_tree(const Structure& structure) {
  const StructureNetwork network = make_network(structure);
  const Result<plan::Plan> plan = plan::make_plan(network.network);
  ESPALIER_TRY(plan);
  return make_tree(structure, network, *plan);
}

Result<ModeSet> find_modes(const comm::Comm& comm, const Structure& structure, const Tree& tree,
                           const ModesOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  if (is_damped(structure)) {
    return make_error(ErrorCode::kUnsupported, {}, "the structure is damped, which is not computed yet");
  }
  Range range;
  if (options.max_frequency > 0) {
    Result<Sweep> sweep = make_sweep(structure, tree, options.max_frequency);
    ESPALIER_TRY(sweep);
    range = {*std::move(sweep), options.max_frequency, 0};
  } else {
    Result<Range> found = find_range(structure, tree, options.count);
    ESPALIER_TRY(found);
    range = *std::move(found);
  }
  const RootSet roots = find_roots(comm, range.sweep, range.upto, options.tolerance, options.watch);
  ModeSet set = make_modes(structure, range.sweep, roots, options.shapes);
  set.counts = roots.counts + range.counts;
  set.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return set;
}

}  // namespace espalier::modes
