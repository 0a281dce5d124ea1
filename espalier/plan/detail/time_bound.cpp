#include "espalier/plan/detail/time_bound.hpp"

#include <algorithm>
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

// What cutting this joint takes at the least, its loop having so many others: the second sum of (P23). Coupled to no
// other loop, closing at the world, and planar if it may be.
double cut_time(const Network& network, int edge, int others, const MachineConstants& machine) {
  const bool may_be_planar = !network.axes.empty() && network.axes[edge].kind != JointAxis::Kind::kOther;
  const int m = std::max(0, kFloating - network.freedom[edge] - (may_be_planar ? 3 : 0));
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
    // 3. With many workers the farthest vertex counts, as far as the root is known.
    if (root < 0) continue;
    graph::ShortestPaths paths(piece.problem.graph);
    paths.run(length, root);
    for (const int v : paths.order()) path = std::max(path, paths.distance()[v]);
  }
  // (P22) of a path and a sum that are both too small, hence below every tree's.
  return workers == 1 ? work : std::min(work, std::max(path, work / workers));
}

}  // namespace espalier::plan::detail
