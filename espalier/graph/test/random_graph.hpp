#pragma once

// Graphs and edge values by key, for tests of the room.

#include <cstdint>
#include <vector>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/graph/graph.hpp"

namespace espalier::graph {

// Up to 12 vertices and 19 edges anywhere: pieces, parallel edges and self loops among them.
inline Graph random_graph(std::uint32_t key) {
  Random random(11, key);
  Graph graph;
  graph.vertices = 1 + random.below(12);
  const int edges = random.below(20);
  for (int e = 0; e < edges; ++e) graph.edges.push_back({random.below(graph.vertices), random.below(graph.vertices)});
  return graph;
}

// 1 to `most` vertices, a random tree and up to `more` edges anywhere, in random order.
inline Graph random_connected_graph(std::uint32_t key, int most, int more) {
  Random random(12, key);
  Graph graph;
  graph.vertices = 1 + random.below(most);
  for (int v = 1; v < graph.vertices; ++v) graph.edges.push_back({v, random.below(v)});
  for (int e = random.below(more + 1); e > 0; --e)
    graph.edges.push_back({random.below(graph.vertices), random.below(graph.vertices)});
  for (std::size_t e = graph.edges.size(); e > 1; --e)
    std::swap(graph.edges[e - 1], graph.edges[to_index(random.below(static_cast<int>(e)))]);
  return graph;
}

// Whole numbers 1 .. most by edge: sums are exact, and small ranges bring ties.
inline std::vector<double> random_values(std::uint32_t key, std::size_t edges, int most) {
  Random random(13, key);
  std::vector<double> values(edges);
  for (double& value : values) value = 1 + random.below(most);
  return values;
}

}  // namespace espalier::graph
