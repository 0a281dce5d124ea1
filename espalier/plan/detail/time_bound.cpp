#include "espalier/plan/detail/time_bound.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "espalier/base/index.hpp"
#include "espalier/graph/graph.hpp"
#include "espalier/graph/paths.hpp"

namespace espalier::plan::detail {
namespace {

constexpr int kFloating = 6;

// How many other edges the shortest loop through each edge has; 0 where there is none. A search that grows past
// kMostSeen vertices gives what it knows.
class ShortestLoops {
 public:
  explicit ShortestLoops(const graph::Graph& graph)
      : graph_(graph), adjacency_(graph), seen_(to_index(graph.vertices), -1) {}

  int others(int edge) {
    const graph::Edge& ends = graph_.edges[edge];
    // Breadth first from one end to the other without the edge itself: the steps are the other edges of its shortest
    // loop.
    std::vector<int> front = {ends.a};
    seen_[ends.a] = edge;
    std::size_t count = 1;
    for (int steps = 1; !front.empty(); ++steps) {
      std::vector<int> next;
      for (const int v : front) {
        for (const graph::Adjacency::Step& step : adjacency_.incident(v)) {
          if (step.edge == edge || seen_[step.to] == edge) continue;
          if (step.to == ends.b) return steps;
          seen_[step.to] = edge;
          next.push_back(step.to);
        }
      }
      count += next.size();
      if (count > kMostSeen) return steps + 1;
      front = std::move(next);
    }
    return 0;
  }

 private:
  static constexpr std::size_t kMostSeen = 1000;
  const graph::Graph& graph_;
  graph::Adjacency adjacency_;
  std::vector<int> seen_;  // by vertex: the last edge whose search met it
};

// The independent equations that a loop has at least when this joint is cut.
int fewest_equations(const Network& network, int edge) {
  const bool may_be_planar = !network.axes.empty() && network.axes[edge].kind != JointAxis::Kind::kOther;
  return std::max(0, kFloating - network.freedom[edge] - (may_be_planar ? 3 : 0));
}

// What cutting this joint takes at the least, its loop having so many others: the second sum of (P23). Coupled to no
// other loop, closing at the world, and planar if it may be.
double cut_time(const Network& network, int edge, int others, const MachineConstants& machine) {
  const int m = fewest_equations(network, edge);
  WorkCount work;
  work[Work::kLoop] = 1;
  work[Work::kRow] = m;
  work[Work::kFlop] = elimination_flops(m, 0, Meeting::kAtWorld);
  work[Work::kCarriedRow] = m * others;
  // Each of the other joints has one coordinate at least.
  work[Work::kCarriedCoordinate] = m * others;
  work[Work::kCoupling] = m * (m + 1) / 2.0 * others;
  return time_of(work, machine);
}

double joint_time(int freedom, const MachineConstants& machine) {
  return machine[Work::kJoint] + machine[Work::kCoordinate] * freedom;
}

// What loops of these equations, increasing, take beyond (P23) because all of them pass some joints in common, so many
// joints: (P26). Whichever is eliminated first is then coupled to all others.
double crossing_time(std::span<const int> equations, int joints, const MachineConstants& machine) {
  WorkCount work;
  int rows = 0;
  // From the one that is eliminated last, with nothing left to be coupled to.
  for (std::size_t k = equations.size(); k-- > 0;) {
    const int m = equations[k];
    work[Work::kFlop] += elimination_flops(m, rows, Meeting::kAtWorld) - elimination_flops(m, 0, Meeting::kAtWorld);
    if (m > 0) work[Work::kPair] += static_cast<double>(equations.size() - 1 - k);
    work[Work::kCoupling] += static_cast<double>(joints) * m * rows;
    rows += m;
  }
  return time_of(work, machine);
}

// How many joints lie between two vertices at least.
int steps_between(const graph::Adjacency& adjacency, int vertices, int a, int b) {
  std::vector<int> steps(to_index(vertices), -1);
  std::vector<int> order = {a};
  steps[a] = 0;
  for (std::size_t k = 0; k < order.size() && steps[b] < 0; ++k) {
    for (const graph::Adjacency::Step& step : adjacency.incident(order[k])) {
      if (steps[step.to] >= 0) continue;
      steps[step.to] = steps[order[k]] + 1;
      order.push_back(step.to);
    }
  }
  return steps[b];
}

// The vertices with the most joints, which most loops must pass between.
std::vector<int> hubs_of(const graph::Adjacency& adjacency, int vertices) {
  constexpr std::size_t kMostHubs = 8;
  std::vector<int> hubs(to_index(vertices));
  std::iota(hubs.begin(), hubs.end(), 0);
  const std::size_t count = std::min(kMostHubs, hubs.size());
  std::partial_sort(hubs.begin(), hubs.begin() + static_cast<std::ptrdiff_t>(count), hubs.end(), [&](int a, int b) {
    return std::pair(-static_cast<std::ptrdiff_t>(adjacency.incident(a).size()), a) <
           std::pair(-static_cast<std::ptrdiff_t>(adjacency.incident(b).size()), b);
  });
  hubs.resize(count);
  return hubs;
}

// (P25), (P26): of all pairs of hubs, that between which the loops of one piece take most. Any pair gives a bound.
double crossing_bound(const Network& network, const Piece& piece, const MachineConstants& machine) {
  // Edges looked at by all searches for one more way.
  constexpr double kMostVisits = 2e7;
  const graph::Graph& graph = piece.problem.graph;
  if (graph.vertices < 2) return 0;
  std::vector<int> equations;
  for (std::size_t e = 0; e < piece.edges.size(); ++e) {
    if (!piece.problem.is_pinned(static_cast<int>(e))) equations.push_back(fewest_equations(network, piece.edges[e]));
  }
  std::sort(equations.begin(), equations.end());
  const graph::Adjacency adjacency(graph);
  const std::vector<int> hubs = hubs_of(adjacency, graph.vertices);
  const double pairs = static_cast<double>(hubs.size() * (hubs.size() - 1)) / 2;
  const auto most = static_cast<int>(kMostVisits / pairs / static_cast<double>(graph.edges.size() + 1));
  double worst = 0;
  for (std::size_t a = 0; a < hubs.size(); ++a) {
    for (std::size_t b = a + 1; b < hubs.size(); ++b) {
      const int ways = graph::disjoint_ways(graph, adjacency, hubs[a], hubs[b], most);
      // One of the edges that part the two is in the tree; each other one closes a loop.
      const std::size_t loops = std::min(to_index(std::max(0, ways - 1)), equations.size());
      if (loops < 2) continue;
      const int joints = steps_between(adjacency, graph.vertices, hubs[a], hubs[b]);
      worst = std::max(worst, crossing_time(std::span(equations).first(loops), joints, machine));
    }
  }
  return worst;
}

}  // namespace

double time_bound(const Pieces& pieces, const MachineConstants& machine, int workers) {
  const Network& network = pieces.network;
  double work = 0;
  double path = 0;
  // 1. As if all were cut. Edges of no piece are, by force.
  std::vector<double> cut(network.graph.edges.size());
  ShortestLoops loops(network.graph);
  for (std::size_t e = 0; e < cut.size(); ++e) {
    const auto id = static_cast<int>(e);
    const graph::Edge& ends = network.graph.edges[e];
    cut[e] = cut_time(network, id, ends.a == ends.b ? 0 : loops.others(id), machine);
    work += cut[e];
  }
  for (const Piece& piece : pieces.pieces) {
    const int root = piece.problem.root;
    // Whatever hangs not on the ground floats: a joint of six coordinates that no tree avoids.
    if (root < 0 || piece.vertices[root] != network.ground) work += joint_time(kFloating, machine);
    // 2. Each edge that stays in the tree changes the sum; the least such sum is a lightest spanning tree.
    std::vector<double> length;
    std::vector<double> change;
    for (const int e : piece.edges) {
      length.push_back(joint_time(network.freedom[e], machine));
      change.push_back(length.back() - cut[e]);
    }
    for (const int e : graph::kruskal(piece.problem.graph, change, piece.problem.pinned)) work += change[e];
    // 3. Between two hubs of the piece many loops pass the same joints, whatever the tree.
    work += crossing_bound(network, piece, machine);
    // 4. With many workers the farthest vertex counts, as far as the root is known.
    if (root < 0) continue;
    graph::ShortestPaths paths(piece.problem.graph);
    paths.run(length, root);
    for (const int v : paths.order()) path = std::max(path, paths.distance()[v]);
  }
  // (P22) of a path and a sum that are both too small, hence below every tree's.
  return workers == 1 ? work : std::min(work, std::max(path, work / workers));
}

}  // namespace espalier::plan::detail
