#include "espalier/modes/modes.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/modes/baseline/search.hpp"
#include "espalier/modes/detail/certify.hpp"
#include "espalier/modes/detail/damped.hpp"
#include "espalier/modes/detail/extent.hpp"
#include "espalier/modes/detail/free_motions.hpp"
#include "espalier/modes/detail/shapes.hpp"
#include "espalier/modes/range.hpp"

namespace espalier::modes {
namespace {

// Free motions are looked at so far below the slowest vibration, which then takes part with the square of it.
constexpr double kSlow = 1e-5;

std::string certificate_text(const RootSet& set, int found) {
  if (set.stopped) return "stopped before its end";
  if (!set.proved) {
    return fmt::format(
        "{} found, {} counted below {:.6g} rad/s, but some counts stand too near to an eigenfrequency to "
        "be beyond doubt",
        found, set.counted, set.upto);
  }
  return fmt::format("{} found, {} counted below {:.6g} rad/s by inertia, and one count on either side of each", found,
                     set.counted, set.upto);
}

ModeSet make_modes(const Structure& structure, const Pass& pass, const RootSet& roots, const detail::FreeMotions& free,
                   bool shapes) {
  ModeSet set;
  // Shapes of free motions are looked for well below every vibration.
  double slowest = roots.upto;
  for (const Root& root : roots.roots) slowest = root.omega > 0 ? std::min(slowest, root.omega) : slowest;
  for (const Root& root : roots.roots) {
    Mode mode;
    mode.s = {0, root.omega};
    mode.multiplicity = root.multiplicity;
    mode.bracket = {root.low, root.high};
    // Newton's method squares what is wrong: after its last step that square is left.
    mode.error = std::max(root.step * root.step, std::numeric_limits<double>::epsilon());
    // Where kinematics and the count agree, free motions need no search.
    if (shapes && root.omega == 0 && free.motions() == root.multiplicity) {
      mode.shapes = free.shapes;
    } else if (shapes) {
      const double at = root.omega > 0 ? root.omega : kSlow * slowest;
      mode.shapes = detail::find_shapes(structure, pass, at, root.multiplicity);
    }
    if (root.omega == 0) set.free_motions = root.multiplicity;
    set.found += root.multiplicity;
    set.modes.push_back(std::move(mode));
  }
  set.counted = roots.counted;
  set.stopped = roots.stopped;
  // There is nothing in between: a count that is not beyond doubt proves nothing.
  set.certainty = roots.proved ? Certainty::kProved : Certainty::kNone;
  set.certificate = certificate_text(roots, set.found);
  set.upto = roots.upto;
  set.evaluations = roots.evaluations;
  set.slices = pass.slices;
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
    int& piece = piece_of[to_index(sets.find(v))];
    if (piece < 0) {
      piece = static_cast<int>(pieces.size());
      pieces.emplace_back();
    }
    StructureNetwork& into = pieces[to_index(piece)];
    place[to_index(v)] = into.network.graph.vertices++;
    into.vertex.push_back(all.vertex[to_index(v)]);
    // Names travel along, so that messages of the plan speak of the model.
    into.network.vertex_names.push_back(plan::vertex_name(all.network, v));
  }
  for (std::size_t e = 0; e < all.element.size(); ++e) {
    const graph::Edge& edge = all.network.graph.edges[e];
    const int piece = piece_of[to_index(sets.find(edge.a))];
    StructureNetwork& into = pieces[to_index(piece)];
    into.network.graph.edges.push_back({place[to_index(edge.a)], place[to_index(edge.b)]});
    into.network.weight.push_back(all.network.weight[e]);
    into.network.length.push_back(all.network.length[e]);
    into.network.edge_names.push_back(plan::edge_name(all.network, static_cast<int>(e)));
    into.element.push_back(all.element[e]);
  }
  return pieces;
}

// Rigid bodies alone have as many modes as motions that rigid joints leave them. A count above all of them that differs
// says that something is wrong with the others too.
void check_total(const Structure& structure, const Pass& pass, const RootSet& roots, ModeSet& set) {
  const Highest highest = highest_frequency(structure);
  // With a massless direction the highest frequency is an estimate, and no count there says how many there can be.
  if (!highest.bounds) return;
  PassWorkspace work(pass);
  ++set.counts;
  const Count top = pass.precise ? count_precisely(pass, highest.omega, work) : count_below(pass, highest.omega, work);
  set.complete = roots.proved && roots.counted == pass.motions;
  if (top.below == pass.motions && roots.counted <= pass.motions) return;
  // Two answers that contradict each other leave none.
  set.complete = false;
  set.certainty = Certainty::kNone;
  set.certificate +=
      fmt::format(", but {} are counted where the {} motions of all bodies should be", top.below, pass.motions);
}

Result<ModeSet> find_undamped(const comm::Comm& comm, const Structure& structure, const Tree& tree,
                              const ModesOptions& options) {
  const detail::FreeMotions free = detail::find_free_motions(structure);
  const std::optional<int> known = free.known ? std::optional(free.motions()) : std::nullopt;
  // Either the user says how far, or so far that enough of them lie below.
  Range range;
  const double asked = options.box ? options.box->top : options.max_frequency;
  if (asked > 0) {
    Result<Pass> pass = make_pass(structure, tree, asked);
    ESPALIER_TRY(pass);
    range = {*std::move(pass), asked, 0, 0};
  } else {
    Result<Range> found = find_range(structure, tree, options.count, known);
    ESPALIER_TRY(found);
    range = *std::move(found);
  }
  const RootSet roots = find_roots(comm, range.pass, range.upto, known, options.watch, options.stop);
  ModeSet set = make_modes(structure, range.pass, roots, free, options.shapes);
  set.counts = roots.counts + range.counts;
  check_total(structure, range.pass, roots, set);
  return set;
}

// How far the region reaches into the right half plane, where no eigenvalue is: its edge stands off its inside.
constexpr double kRight = 0.4;
// Eigenvalues around a region are looked at too, up to so many times its reach.
constexpr double kAround = 1.7;

void set_certificate(const detail::ComplexRootSet& roots, const detail::RegionProof& proof,
                     const detail::Region& region, ModeSet& set) {
  const std::string where = fmt::format("|Im s| < {:.6g}, Re s > {:.6g} 1/s", region.top, region.left);
  if (roots.stopped) {
    set.certificate = "stopped before its end";
    return;
  }
  if (proof.proved && proof.count == roots.found && roots.checked) {
    set.certainty = Certainty::kProved;
    set.certificate = fmt::format(
        "{} found, {} proved in {}: the undamped modes are counted, and damping cannot carry one across the edge "
        "({:.2g} of what it would need)",
        roots.found, proof.count, where, proof.crossing);
    return;
  }
  if (!std::isfinite(roots.counted)) {
    set.certificate = fmt::format("{} found; they cannot be counted, since the determinant is no number around {}",
                                  roots.found, where);
    return;
  }
  // The proof counts the region and the search lists it: where both differ, one is wrong, and no one says which.
  const bool contradicted = proof.proved && proof.count != roots.found;
  set.certainty = (roots.checked || proof.proved) && !contradicted ? Certainty::kChecked : Certainty::kNone;
  set.certificate = fmt::format("{} found, {:.4f} counted by a winding number of {} samples around {}", roots.found,
                                roots.counted, roots.samples, where);
  if (!proof.proved) {
    set.certificate += fmt::format("; no proof: {}", proof.reason);
  } else if (!contradicted) {
    set.certificate += fmt::format("; {} proved, as many as found, but the samples do not confirm them", proof.count);
  } else {
    set.certificate += fmt::format("; {} proved: {}", proof.count,
                                   proof.count > roots.found ? "some are not found" : "some are found that are none");
  }
  if (roots.exhausted) {
    set.certificate += fmt::format("; ended after {} evaluations, the most that a search takes", roots.evaluations);
  }
}

Mode make_mode(const Structure& structure, const Pass& pass, const detail::FreeMotions& free,
               const detail::ComplexRoot& root, bool shapes) {
  Mode mode;
  mode.s = root.s;
  mode.multiplicity = root.multiplicity;
  mode.error = std::max(root.step * root.step, std::numeric_limits<double>::epsilon());
  if (!shapes) return mode;
  mode.shapes = root.s == 0.0 ? free.shapes : detail::find_shapes(structure, pass, root.s, root.multiplicity);
  return mode;
}

Result<ModeSet> find_damped(const comm::Comm& comm, const Structure& structure, const Tree& tree,
                            const ModesOptions& options) {
  const Result<detail::Extent> extent = detail::choose_extent(structure, tree, options);
  ESPALIER_TRY(extent);
  const double top = extent->top, decay = extent->decay;
  const detail::Region asked{-decay, kRight * std::max(top, decay), top};
  // A region that can be proved may be a little larger than the one asked for; what lies between is left out of the
  // list.
  const Result<detail::RegionProof> proof = detail::prove_region(comm, structure, tree, asked, options.stop);
  ESPALIER_TRY(proof);
  const detail::Region& region = proof->region;
  // Wide enough for the edge and for what is looked at around it: slices must be short enough there too.
  const Result<Pass> pass =
      make_pass(structure, tree, kAround * elementary::hypot(region.top, std::max(-region.left, region.right)));
  ESPALIER_TRY(pass);
  const detail::FreeMotions free = detail::find_free_motions(structure);
  // Samples that only confirm a proved number may be fewer.
  const std::optional<int> expected = proof->proved ? std::optional(proof->count) : std::nullopt;
  const detail::ComplexRootSet roots = detail::find_roots(
      comm, *pass, region, {free.roots(), proof->starts, -extent->barrier, expected}, {options.watch, options.stop});
  ModeSet set;
  set.damped = true;
  set.stopped = roots.stopped;
  set.free_motions = free.motions();
  for (const detail::ComplexRoot& root : roots.roots) {
    // Found for the proof's sake; nobody has asked for them.
    if (!asked.contains(root.s)) continue;
    set.modes.push_back(make_mode(structure, *pass, free, root, options.shapes));
  }
  set.found = roots.found;
  // The winding number as an integer; the certificate has its digits.
  set.counted = std::isfinite(roots.counted) ? static_cast<int>(std::lround(roots.counted)) : 0;
  set_certificate(roots, *proof, region, set);
  set.upto = top;
  set.decay = decay;
  set.counts = extent->counts + proof->counts;
  set.evaluations = roots.evaluations;
  set.slices = pass->slices;
  return set;
}

Result<ModeSet> find_by(const comm::Comm& comm, const Structure& structure, const Tree& tree,
                        const ModesOptions& options) {
  if (options.method != Method::kAuto) return baseline::search_modes(comm, structure, tree, options);
  return is_damped(structure) ? find_damped(comm, structure, tree, options)
                              : find_undamped(comm, structure, tree, options);
}

// The search was in a region of its own choice around the box.
void keep_inside(const Box& box, ModeSet& set) {
  std::erase_if(set.modes, [&](const Mode& mode) {
    const std::complex<double> s = mode.s;
    return s.real() < box.left || s.real() > box.right || s.imag() < box.bottom || s.imag() > box.top;
  });
  int inside = 0;
  for (const Mode& mode : set.modes) inside += mode.multiplicity;
  set.certificate += fmt::format("; {} of them with {:.6g} <= Re s <= {:.6g}, {:.6g} <= Im s <= {:.6g} 1/s", inside,
                                 box.left, box.right, box.bottom, box.top);
}

}  // namespace

// Supports part a structure into pieces; each is planned by itself.
Result<Tree> plan_tree(const Structure& structure) {
  const StructureNetwork all = make_network(structure);
  Tree tree{std::vector<int>(structure.vertices.size(), -1), std::vector<int>(structure.vertices.size(), -1)};
  for (const StructureNetwork& piece : split_network(all)) {
    const Result<plan::Plan> plan = plan::make_plan(piece.network);
    ESPALIER_TRY(plan);
    // Trees of pieces have no vertex in common.
    const Tree part = make_tree(structure, piece, *plan);
    for (const int vertex : piece.vertex) {
      const auto v = to_index(vertex);
      tree.parent[v] = part.parent[v];
      tree.element[v] = part.element[v];
    }
  }
  return tree;
}

Result<ModeSet> find_modes(const comm::Comm& comm, const Structure& structure, const Tree& tree,
                           const ModesOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const double communicated = comm.seconds();
  Result<ModeSet> set = find_by(comm, structure, tree, options);
  ESPALIER_TRY(set);
  // With a range nobody asks for a number, and none can be missing.
  if (!(options.max_frequency > 0) && !options.box) set->asked = options.count;
  if (options.box && options.method == Method::kAuto) keep_inside(*options.box, *set);
  const double mine = comm.seconds() - communicated;
  // The mean over the ranks, with the time that they wait for each other.
  set->communication_seconds = comm::sum(comm, mine) / comm.size();
  // Ranks do not start at the same moment; the longest time has that of all others in it.
  set->seconds = comm::max(comm, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return set;
}

}  // namespace espalier::modes
