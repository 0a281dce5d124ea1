#include "espalier/graph/shortest_paths.hpp"

#include <algorithm>
#include <limits>

namespace espalier::graph {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

// The steps carry their lengths: one cache line a vertex instead of one an edge.
// Tried on 10^6 vertices: heaps of four and eight children, and heaps that move their entries, are no faster than the
// standard library's with outdated entries left in.
ShortestPaths::ShortestPaths(const Graph& graph) : first_(static_cast<std::size_t>(graph.vertices) + 1, 0) {
  const auto n = static_cast<std::size_t>(graph.vertices);
  for (const Edge& edge : graph.edges) {
    if (edge.a == edge.b) continue;
    ++first_[edge.a + 1];
    ++first_[edge.b + 1];
  }
  for (std::size_t v = 0; v < n; ++v) first_[v + 1] += first_[v];
  steps_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (int e = 0; e < static_cast<int>(graph.edges.size()); ++e) {
    const Edge& edge = graph.edges[e];
    if (edge.a == edge.b) continue;
    steps_[next[edge.a]++] = {kInfinite, e, edge.b};
    steps_[next[edge.b]++] = {kInfinite, e, edge.a};
  }
  distance_.resize(n);
  parent_.resize(n);
  parent_edge_.resize(n);
  order_.reserve(n);
  heap_.reserve(n);
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
      if (distance >= distance_[step.to]) continue;
      distance_[step.to] = distance;
      parent_[step.to] = entry.vertex;
      parent_edge_[step.to] = step.edge;
      heap_.push_back({distance, step.to});
      std::push_heap(heap_.begin(), heap_.end(), later);
    }
  }
}

double ShortestPaths::eccentricity() const { return distance_[order_.back()]; }

Tree ShortestPaths::tree() const { return {source_, parent_, parent_edge_, order_}; }

}  // namespace espalier::graph
