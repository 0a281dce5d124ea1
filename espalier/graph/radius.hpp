#pragma once

// How far apart the vertices of a connected graph are, from few shortest-path runs. Each run from s bounds the
// eccentricity of every other vertex v from below by max(d(s, v), ecc(s) - d(s, v)); a vertex whose bound reaches the
// smallest eccentricity seen cannot be a better centre. [Takes13] [Borassi15]

#include <limits>
#include <vector>

#include "espalier/graph/shortest_paths.hpp"

namespace espalier::graph {

struct Radius {
  double lower = 0;     // no vertex has a smaller eccentricity
  double upper = 0;     // the eccentricity of `centre`, the smallest one found; equal to `lower` if `exact`
  int centre = -1;      // of equals the one found first
  bool exact = false;   // all vertices were ruled out before the runs were used up
  double diameter = 0;  // from below: the largest eccentricity seen
  int far_a = -1;       // two vertices at that distance
  int far_b = -1;
  int runs = 0;                // of Dijkstra's method
  std::vector<double> bounds;  // by vertex: its eccentricity is not smaller
};

// The lengths are those set in `paths`; all vertices must be in reach. `most_runs` at least 1. O(runs (V + E) log V);
// some ten runs on most graphs, V on a complete graph of equal lengths. Deterministic.
Radius find_radius(ShortestPaths& paths, int most_runs = std::numeric_limits<int>::max());

}  // namespace espalier::graph
