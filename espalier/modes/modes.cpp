#include "espalier/modes/modes.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/modes/certify.hpp"
#include "espalier/modes/damped.hpp"
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
    mode.error = std::max(root.step * root.step, std::numeric_limits<double>::epsilon());
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

// The connected pieces of a network, by their lowest vertex.
std::vector<StructureNetwork> split_network(const StructureNetwork& all) {
  const auto vertices = static_cast<int>(all.vertex.size());
  DisjointSets sets(all.vertex.size());
  for (const graph::Edge& edge : all.network.graph.edges) sets.join(edge.a, edge.b);
  std::vector<int> piece_of(all.vertex.size(), -1), place(all.vertex.size(), -1);
  std::vector<StructureNetwork> pieces;
  for (int v = 0; v < vertices; ++v) {
    int& piece = piece_of[static_cast<std::size_t>(sets.find(v))];
    if (piece < 0) {
      piece = static_cast<int>(pieces.size());
      pieces.emplace_back();
    }
    StructureNetwork& into = pieces[static_cast<std::size_t>(piece)];
    place[static_cast<std::size_t>(v)] = into.network.graph.vertices++;
    into.vertex.push_back(all.vertex[static_cast<std::size_t>(v)]);
    into.network.vertex_names.push_back(plan::vertex_name(all.network, v));
  }
  for (std::size_t e = 0; e < all.element.size(); ++e) {
    const graph::Edge& edge = all.network.graph.edges[e];
    const int piece = piece_of[static_cast<std::size_t>(sets.find(edge.a))];
    StructureNetwork& into = pieces[static_cast<std::size_t>(piece)];
    into.network.graph.edges.push_back(
        {place[static_cast<std::size_t>(edge.a)], place[static_cast<std::size_t>(edge.b)]});
    into.network.weight.push_back(all.network.weight[e]);
    into.network.length.push_back(all.network.length[e]);
    into.network.edge_names.push_back(plan::edge_name(all.network, static_cast<int>(e)));
    into.element.push_back(all.element[e]);
  }
  return pieces;
}

Result<ModeSet> find_undamped(const comm::Comm& comm, const Structure& structure, const Tree& tree,
                              const ModesOptions& options) {
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
  const RootSet roots = find_roots(comm, range.sweep, range.upto, options.watch);
  ModeSet set = make_modes(structure, range.sweep, roots, options.shapes);
  set.counts = roots.counts + range.counts;
  return set;
}

// 1 / eta: where Kelvin-Voigt damping has its essential singularity on the negative axis; infinite without.
double nearest_singularity(const Structure& structure) {
  double eta = 0;
  for (const Element& element : structure.elements) {
    if (const Beam* beam = std::get_if<Beam>(&element.law)) eta = std::max(eta, beam->kelvin_voigt);
  }
  return eta > 0 ? 1 / eta : std::numeric_limits<double>::infinity();
}

// Edges stand off the region's inside: above the last frequency that was asked for, and in the right half plane, where
// no eigenvalue is.
constexpr double kAbove = 1.03, kRight = 0.4, kBeforeSingularity = 0.8;

void set_certificate(const ComplexRootSet& roots, const RegionProof& proof, const Region& region, ModeSet& set) {
  const std::string where = fmt::format("|Im s| < {:.6g}, Re s > {:.6g} 1/s", region.top, region.left);
  if (proof.proved && proof.count == roots.found && roots.checked) {
    set.certainty = Certainty::kProved;
    set.certificate = fmt::format(
        "{} found, {} proved in {}: the undamped modes are counted, and damping cannot carry one across the edge "
        "({:.2g} of what it would need)",
        roots.found, proof.count, where, proof.crossing);
    return;
  }
  set.certainty = roots.checked && !proof.proved ? Certainty::kChecked : Certainty::kNone;
  set.certificate = fmt::format("{} found, {:.4f} counted by a winding number of {} samples around {}", roots.found,
                                roots.counted, roots.samples, where);
  set.certificate += proof.proved ? fmt::format("; {} proved: some are not found", proof.count)
                                  : fmt::format("; no proof: {}", proof.reason);
}

Result<ModeSet> find_damped(const comm::Comm& comm, const Structure& structure, const Tree& tree,
                            const ModesOptions& options) {
  double top = options.max_frequency;
  std::int64_t counts = 0;
  if (!(top > 0)) {
    const Result<Range> range = find_range(without_damping(structure), tree, options.count);
    ESPALIER_TRY(range);
    top = kAbove * range->upto;
    counts = range->counts;
  }
  const double singular = nearest_singularity(structure);
  if (options.max_decay >= singular) {
    return make_error(ErrorCode::kOption, {},
                      fmt::format("the region reaches s = -{:.6g} 1/s, where Kelvin-Voigt damping has infinitely many "
                                  "eigenvalues: ask for a smaller decay",
                                  singular));
  }
  const double decay = options.max_decay > 0 ? options.max_decay : std::min(top, kBeforeSingularity * singular);
  const Region asked{-decay, kRight * std::max(top, decay), top};
  // A region that can be proved may be a little larger than the one asked for; what lies between is left out of the
  // list.
  const Result<RegionProof> proof = prove_region(comm, structure, tree, asked);
  ESPALIER_TRY(proof);
  const Region& region = proof->region;
  const Result<Sweep> sweep =
      make_sweep(structure, tree, 1.01 * std::hypot(region.top, std::max(-region.left, region.right)));
  ESPALIER_TRY(sweep);
  const ComplexRootSet roots = find_roots(comm, *sweep, region, proof->uniform, options.watch);
  ModeSet set;
  set.damped = true;
  for (const ComplexRoot& root : roots.roots) {
    if (!asked.contains(root.s)) continue;
    Mode mode;
    mode.s = root.s;
    mode.multiplicity = root.multiplicity;
    mode.error = std::max(root.step * root.step, std::numeric_limits<double>::epsilon());
    if (options.shapes) mode.shapes = find_shapes(structure, *sweep, root.s, root.multiplicity);
    set.modes.push_back(std::move(mode));
  }
  set.found = roots.found;
  set.counted = static_cast<int>(std::lround(roots.counted));
  set_certificate(roots, *proof, region, set);
  set.upto = top;
  set.decay = decay;
  set.counts = counts + proof->counts;
  set.evaluations = roots.evaluations;
  set.pieces = sweep->pieces;
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

// Supports part a structure into pieces; each is planned by itself.
Result<Tree> plan_tree(const Structure& structure) {
  const StructureNetwork all = make_network(structure);
  Tree tree{std::vector<int>(structure.vertices.size(), -1), std::vector<int>(structure.vertices.size(), -1)};
  for (const StructureNetwork& piece : split_network(all)) {
    const Result<plan::Plan> plan = plan::make_plan(piece.network);
    ESPALIER_TRY(plan);
    const Tree part = make_tree(structure, piece, *plan);
    for (const int vertex : piece.vertex) {
      const auto v = static_cast<std::size_t>(vertex);
      tree.parent[v] = part.parent[v];
      tree.element[v] = part.element[v];
    }
  }
  return tree;
}

Result<ModeSet> find_modes(const comm::Comm& comm, const Structure& structure, const Tree& tree,
                           const ModesOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  Result<ModeSet> set = is_damped(structure) ? find_damped(comm, structure, tree, options)
                                             : find_undamped(comm, structure, tree, options);
  ESPALIER_TRY(set);
  set->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return set;
}

}  // namespace espalier::modes
