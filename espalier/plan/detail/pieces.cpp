#include "espalier/plan/detail/pieces.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/graph/paths.hpp"

namespace espalier::plan::detail {
namespace {

// What the user asked for an edge; two different wishes for one edge contradict each other.
enum class Wish : char { kNone, kPin, kCut, kCutBody };

const char* option_of(Wish wish) { return wish == Wish::kPin ? "pin" : wish == Wish::kCut ? "cut" : "cut_body"; }

std::string quoted_edge(const Network& network, int edge) { return in_quotes(edge_name(network, edge)); }
std::string quoted_vertex(const Network& network, int vertex) { return in_quotes(vertex_name(network, vertex)); }

// Numbers come from names that were found, or from code: both may be wrong, and only the latter out of range.
Result<std::vector<Wish>> collect_wishes(const Network& network, const PlanOptions& options) {
  std::vector<Wish> wishes(network.graph.edges.size(), Wish::kNone);
  for (const auto& [edges, wish] : {std::pair(&options.pin, Wish::kPin), std::pair(&options.cut, Wish::kCut),
                                    std::pair(&options.cut_body, Wish::kCutBody)}) {
    for (const int e : *edges) {
      if (e < 0 || e >= static_cast<int>(wishes.size())) {
        return make_option_error(option_of(wish), fmt::format("`{}` names edge number {}", option_of(wish), e),
                                 fmt::format("there are {}", wishes.size()));
      }
      if (wishes[e] != Wish::kNone && wishes[e] != wish) {
        return make_option_error(option_of(wish),
                                 fmt::format("`{}` and `{}` both name {}", option_of(wishes[e]), option_of(wish),
                                             quoted_edge(network, e)),
                                 "leave one of them out");
      }
      wishes[e] = wish;
    }
  }
  return wishes;
}

// The pinned edges that lie on the way from a to b, when all of it is pinned.
std::vector<int> find_pinned_way(const Network& network, const std::vector<int>& pins, int a, int b) {
  // The pins before this one close no loop: the way between the two ends is the only one there is.
  graph::Graph pinned{network.graph.vertices, {}};
  for (const int e : pins) pinned.edges.push_back(network.graph.edges[e]);
  const graph::Tree tree = graph::breadth_first_tree(graph::Adjacency(pinned), pinned.vertices, a);
  std::vector<int> way;
  for (int v = b; v != a; v = tree.parent[v]) way.push_back(pins[tree.parent_edge[v]]);
  return way;
}

Result<void> check_pins(const Network& network, const std::vector<Wish>& wishes) {
  DisjointSets joined(to_index(network.graph.vertices));
  std::vector<int> pins;
  for (int e = 0; e < static_cast<int>(wishes.size()); ++e) {
    if (wishes[e] != Wish::kPin) continue;
    const graph::Edge& edge = network.graph.edges[e];
    if (edge.a == edge.b) {
      return make_option_error("pin", fmt::format("`pin` {}: both ends are on {}, so that it can only be cut",
                                                  quoted_edge(network, e), quoted_vertex(network, edge.a)));
    }
    if (joined.join(edge.a, edge.b)) {
      pins.push_back(e);
      continue;
    }
    // This pin closes a loop of pins, which is told as a whole: which one to give up is the user's to choose.
    std::vector<std::string> loop = {quoted_edge(network, e)};
    for (const int other : find_pinned_way(network, pins, edge.a, edge.b)) loop.push_back(quoted_edge(network, other));
    return make_option_error("pin", fmt::format("`pin` keeps a whole loop: {}", fmt::join(loop, ", ")),
                             "one of its joints must be cut, so pin one less");
  }
  return {};
}

// The vertices that trees hang on for certain: the ground in its piece, then what the user asked for, which counts
// more.
std::vector<int> fixed_roots(const Network& network, const PlanOptions& options) {
  std::vector<int> roots;
  // Any other root than the ground costs twelve equations more, so that the fewest leave no choice.
  const Meaning::Unit unit = meaning_of(options.objective).unit;
  const bool counts = unit == Meaning::Unit::kEquations || unit == Meaning::Unit::kSeconds;
  const bool free = options.free_root && !counts;
  if (network.ground >= 0 && !free) roots.push_back(network.ground);
  if (options.root >= 0) roots.push_back(options.root);
  return roots;
}

// The half stays with the end that is nearer to the root: the shorter way to reach a body that adds no further one.
void cut_bodies(Pieces& result, const PlanOptions& options) {
  if (options.cut_body.empty()) return;
  Network& network = result.network;
  std::vector<double> distance(to_index(network.graph.vertices), 0);
  graph::ShortestPaths paths(network.graph);
  for (const int root : fixed_roots(network, options)) {
    // Shortest ways of the whole graph: the tree is not known yet when a body is cut. Without a fixed root all
    // distances stay 0, and the second body of the file is the one that is cut.
    paths.run(network.length, root);
    for (const int v : paths.order()) distance[v] = paths.distance()[v];
  }
  std::vector<char> done(network.graph.edges.size(), 0);
  for (const int e : options.cut_body) {
    // A joint that is named twice is cut once.
    if (std::exchange(done[e], 1) != 0) continue;
    graph::Edge& edge = network.graph.edges[e];
    // The half hangs on a, the nearer end; b keeps the rest of its body.
    if (distance[edge.b] < distance[edge.a]) std::swap(edge.a, edge.b);
    const int half = network.graph.vertices++;
    result.half_bodies.push_back({half, edge.b, e});
    if (!network.vertex_names.empty()) network.vertex_names.push_back(network.vertex_names[edge.b] + " (half)");
    edge.b = half;
  }
}

DisjointSets join_all(const Network& network, const std::vector<Wish>& wishes, bool with_cut) {
  DisjointSets joined(to_index(network.graph.vertices));
  for (std::size_t e = 0; e < network.graph.edges.size(); ++e) {
    if (!with_cut && wishes[e] == Wish::kCut) continue;
    joined.join(network.graph.edges[e].a, network.graph.edges[e].b);
  }
  return joined;
}

// What is one before cutting must be one after it; a plain graph must be one at all.
Result<void> check_connected(const Network& before, const Network& after, const std::vector<Wish>& wishes) {
  // Bodies cut in two are no cuts of the graph: their joint stays, and the half is no body of the user.
  DisjointSets whole = join_all(before, wishes, true);
  DisjointSets rest = join_all(after, wishes, false);
  for (int v = 1; v < before.graph.vertices; ++v) {
    if (before.freedom.empty() && before.ground < 0 && whole.find(v) != whole.find(0)) {
      return make_error(ErrorCode::kTopology, {},
                        fmt::format("the graph is not connected: no way leads from vertex {} to vertex {}; plan its "
                                    "parts one by one",
                                    vertex_name(before, 0), vertex_name(before, v)));
    }
    if (rest.find(v) != rest.find(whole.find(v))) {
      return make_option_error("cut",
                               fmt::format("the forced cuts separate {} from {}: no tree is left",
                                           quoted_vertex(before, v), quoted_vertex(before, whole.find(v))),
                               "leave one of them out");
    }
  }
  return {};
}

std::vector<Piece> split(const Network& network, const std::vector<Wish>& wishes, const std::vector<int>& roots) {
  DisjointSets joined = join_all(network, wishes, false);
  const auto n = to_index(network.graph.vertices);
  std::vector<Piece> pieces;
  std::vector<int> piece_of(n);
  std::vector<int> place(n);
  for (int v = 0; v < network.graph.vertices; ++v) {
    // Sets are named by their lowest vertex, so that pieces come in the order of theirs.
    const int lowest = joined.find(v);
    if (lowest == v) {
      piece_of[v] = static_cast<int>(pieces.size());
      pieces.emplace_back();
    }
    piece_of[v] = piece_of[lowest];
    Piece& piece = pieces[piece_of[v]];
    place[v] = static_cast<int>(piece.vertices.size());
    piece.vertices.push_back(v);
  }
  // The last one counts: what the user asked for comes after the ground.
  for (const int root : roots) pieces[piece_of[root]].problem.root = place[root];
  for (int e = 0; e < static_cast<int>(network.graph.edges.size()); ++e) {
    const graph::Edge& edge = network.graph.edges[e];
    // What cannot be in any tree is no part of the problem; the plan counts it among the cut edges.
    if (wishes[e] == Wish::kCut || edge.a == edge.b) continue;
    Piece& piece = pieces[piece_of[edge.a]];
    piece.edges.push_back(e);
    piece.problem.graph.edges.push_back({place[edge.a], place[edge.b]});
    piece.problem.weight.push_back(network.weight[e]);
    piece.problem.length.push_back(network.length[e]);
  }
  for (Piece& piece : pieces) piece.problem.graph.vertices = static_cast<int>(piece.vertices.size());
  return pieces;
}

void mark_pins(std::vector<Piece>& pieces, const std::vector<Wish>& wishes) {
  // Without pins the list stays empty, which spares every search the question.
  for (Piece& piece : pieces) {
    std::vector<char> pinned(piece.edges.size(), 0);
    std::transform(piece.edges.begin(), piece.edges.end(), pinned.begin(),
                   [&](int e) { return wishes[e] == Wish::kPin ? 1 : 0; });
    if (std::find(pinned.begin(), pinned.end(), 1) != pinned.end()) piece.problem.pinned = std::move(pinned);
  }
}

}  // namespace

Result<Pieces> make_pieces(const Network& network, const PlanOptions& options) {
  const Result<std::vector<Wish>> collected = collect_wishes(network, options);
  ESPALIER_TRY(collected);
  const std::vector<Wish>& wishes = *collected;
  const Result<void> pins = check_pins(network, wishes);
  ESPALIER_TRY(pins);
  Pieces result;
  result.network = network;
  cut_bodies(result, options);
  const Result<void> connected = check_connected(network, result.network, wishes);
  ESPALIER_TRY(connected);
  result.pieces = split(result.network, wishes, fixed_roots(network, options));
  mark_pins(result.pieces, wishes);
  return result;
}

}  // namespace espalier::plan::detail
