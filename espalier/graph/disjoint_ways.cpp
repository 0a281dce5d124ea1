#include <vector>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/graph/paths.hpp"

namespace espalier::graph {
namespace {

// By edge, in which direction a way passes it: each edge is passed once, or given back by a later way.
enum class Flow : signed char { kNone, kForward, kBackward };

class Ways {
 public:
  Ways(const Graph& graph, const Adjacency& adjacency)
      : graph_(graph), adjacency_(adjacency), flow_(graph.edges.size(), Flow::kNone) {}

  // One way more, of the fewest edges; false where there is none.
  bool add(int a, int b) {
    // Breadth first for the augmenting way of the method of Ford and Fulkerson: ways of few edges keep it short.
    entering_.assign(to_index(graph_.vertices), -1);
    std::vector<int> order = {a};
    for (std::size_t k = 0; k < order.size() && entering_[b] < 0; ++k) {
      for (const Adjacency::Step& step : adjacency_.incident(order[k])) {
        if (step.to == a || entering_[step.to] >= 0 || flow_[step.edge] == direction(step.edge, order[k])) continue;
        entering_[step.to] = step.edge;
        order.push_back(step.to);
      }
    }
    if (entering_[b] < 0) return false;
    for (int v = b; v != a;) {
      const int edge = entering_[v];
      const int from = graph_.edges[edge].a == v ? graph_.edges[edge].b : graph_.edges[edge].a;
      // Passed the other way before: the two cancel, and both ways go on without this edge.
      flow_[edge] = flow_[edge] == Flow::kNone ? direction(edge, from) : Flow::kNone;
      v = from;
    }
    return true;
  }

 private:
  Flow direction(int edge, int from) const { return graph_.edges[edge].a == from ? Flow::kForward : Flow::kBackward; }

  const Graph& graph_;
  const Adjacency& adjacency_;
  std::vector<Flow> flow_;
  std::vector<int> entering_;  // by vertex: the edge by which the search has reached it
};

}  // namespace

int disjoint_ways(const Graph& graph, const Adjacency& adjacency, int a, int b, int most) {
  ESPALIER_CHECK(a != b, "ways lead from one vertex to another");
  Ways ways(graph, adjacency);
  int count = 0;
  // Who asks whether there are two need not wait for all.
  while (count < most && ways.add(a, b)) ++count;
  return count;
}

}  // namespace espalier::graph
