#pragma once

// Plain networks of any size for tests and measurements. The same seed gives the same network on every machine.

#include <cstdint>

#include "espalier/plan/network.hpp"

namespace espalier::plan {

struct GenerateOptions {
  int most_weight = 10;     // weights are whole numbers, uniform in 1 .. most_weight
  bool own_length = false;  // lengths are drawn like the weights; else l = w
  std::uint64_t seed = 1;
};

// A random tree (each vertex is joined to a random earlier one, in random numbering) and random edges between different
// vertices. `edges` at least vertices - 1. Parallel edges may occur. O(V + E).
Network generate_random(int vertices, int edges, const GenerateOptions& options = {});

// rows x columns vertices, each joined to its neighbours.
Network generate_grid(int rows, int columns, const GenerateOptions& options = {});

// A grid of two columns: `rungs` loops in a row.
Network generate_ladder(int rungs, const GenerateOptions& options = {});

// Like a large mechanism: chains that branch, and one loop of 4 to 9 joints in every ten; `vertices` / 10 loops in all.
Network generate_multibody(int vertices, const GenerateOptions& options = {});

}  // namespace espalier::plan
