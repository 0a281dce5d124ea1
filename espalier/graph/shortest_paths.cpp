#include "espalier/graph/shortest_paths.hpp"

#include <algorithm>
#include <limits>

namespace espalier::graph {

ShortestPaths::ShortestPaths(const Graph& graph) : adjacency_(graph) {
  const auto n = static_cast<std::size_t>(graph.vertices);
  distance_.resize(n);
  parent_.resize(n);
  parent_edge_.resize(n);
  order_.reserve(n);
  heap_.reserve(n);
}

void ShortestPaths::run(std::span<const double> length, int source) {
  const auto later = [](const Entry& a, const Entry& b) {
    return a.distance != b.distance ? a.distance > b.distance : a.vertex > b.vertex;
  };
  std::fill(distance_.begin(), distance_.end(), std::numeric_limits<double>::infinity());
  std::fill(parent_.begin(), parent_.end(), -1);
  std::fill(parent_edge_.begin(), parent_edge_.end(), -1);
  order_.clear();
  heap_.assign(1, {0.0, source});
  source_ = source;
  distance_[source] = 0;
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Entry entry = heap_.back();
    heap_.pop_back();
    // A vertex lies in the heap once for each time its distance fell; only the last counts.
    if (entry.distance > distance_[entry.vertex]) continue;
    order_.push_back(entry.vertex);
    for (const Adjacency::Step& step : adjacency_.incident(entry.vertex)) {
      const double distance = entry.distance + length[step.edge];
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
