#include "espalier/graph/paths.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "espalier/base/index.hpp"

namespace espalier::graph {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Calls visit(edge, from, to): for an edge in both directions, for an arc in its own. Self loops lead nowhere.
template <class Visit>
void for_each_step(const std::vector<Edge>& edges, Visit visit) {
  for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
    if (edges[e].a == edges[e].b) continue;
    visit(e, edges[e].a, edges[e].b);
    visit(e, edges[e].b, edges[e].a);
  }
}
template <class Visit>
void for_each_step(std::span<const Arc> arcs, Visit visit) {
  for (int a = 0; a < static_cast<int>(arcs.size()); ++a) visit(a, arcs[a].from, arcs[a].to);
}

}  // namespace

ShortestPaths::ShortestPaths(const Graph& graph) { lay_out(graph.vertices, graph.edges); }

ShortestPaths::ShortestPaths(int vertices, std::span<const Arc> arcs) { lay_out(vertices, arcs); }

// The steps carry their lengths: one cache line per vertex instead of one per edge.
// Tried on 10^6 vertices: heaps of four and eight children, and heaps that move their entries, are no faster than the
// standard library's with outdated entries left in.
template <class Edges>
void ShortestPaths::lay_out(int vertices, const Edges& edges) {
  // Counted, then filled: all steps lie in one list, those of a vertex side by side.
  first_.assign(to_index(vertices) + 1, 0);
  for_each_step(edges, [&](int, int from, int) { ++first_[from + 1]; });
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  steps_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for_each_step(edges, [&](int edge, int from, int to) { steps_[next[from]++] = {kInfinite, edge, to}; });
  distance_.resize(to_index(vertices));
  parent_.resize(to_index(vertices));
  parent_edge_.resize(to_index(vertices));
  order_.reserve(to_index(vertices));
  heap_.reserve(to_index(vertices));
}

void ShortestPaths::set_length(std::span<const double> length) {
  for (Step& step : steps_) step.length = length[step.edge];
}

void ShortestPaths::run(int source) {
  std::fill(distance_.begin(), distance_.end(), kInfinite);
  heap_.assign(1, {0.0, source});
  distance_[source] = 0;
  source_ = source;
  settle_all();
}

void ShortestPaths::run(std::span<const double> length, int source) {
  set_length(length);
  run(source);
}

void ShortestPaths::run_from(std::span<const double> start) {
  std::copy(start.begin(), start.end(), distance_.begin());
  heap_.clear();
  for (int v = 0; v < vertices(); ++v) {
    if (start[v] < kInfinite) heap_.push_back({start[v], v});
  }
  // A sorted list is a heap, and its front is popped without much ado.
  std::sort(heap_.begin(), heap_.end(), [](const Entry& a, const Entry& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.vertex < b.vertex;
  });
  source_ = -1;
  settle_all();
}

void ShortestPaths::settle_all() {
  const auto later = [](const Entry& a, const Entry& b) {
    return a.distance != b.distance ? a.distance > b.distance : a.vertex > b.vertex;
  };
  // Without a decrease of keys: a better entry is pushed beside the old one, which is passed over when it comes out.
  std::fill(parent_.begin(), parent_.end(), -1);
  std::fill(parent_edge_.begin(), parent_edge_.end(), -1);
  order_.clear();
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Entry entry = heap_.back();
    heap_.pop_back();
    // A vertex lies in the heap once for each time its distance fell; only the last counts.
    if (entry.distance > distance_[entry.vertex]) continue;
    order_.push_back(entry.vertex);
    for (std::size_t k = first_[entry.vertex]; k < first_[entry.vertex + 1]; ++k) {
      const Step& step = steps_[k];
      const double distance = entry.distance + step.length;
      // Of equal ways the first one found stays.
      if (distance >= distance_[step.to]) continue;
      distance_[step.to] = distance;
      parent_[step.to] = entry.vertex;
      parent_edge_[step.to] = step.edge;
      heap_.push_back({distance, step.to});
      std::push_heap(heap_.begin(), heap_.end(), later);
    }
  }
}

// Vertices are settled in the order of their distance: the last one is the farthest.
double ShortestPaths::eccentricity() const { return distance_[order_.back()]; }

Tree ShortestPaths::tree() const { return {source_, parent_, parent_edge_, order_}; }

}  // namespace espalier::graph
