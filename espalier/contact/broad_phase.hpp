#pragma once

// Broad phase: which boxes overlap, by a hash grid that is sorted anew each time.
// Cost: O(n log n + pairs) for boxes of like size; much larger boxes are kept aside and tried against all others.

#include <array>
#include <span>
#include <vector>

#include "espalier/contact/geometry.hpp"

namespace espalier::contact {

// Memory that is made once.
struct BroadPhase {
  std::vector<std::array<int, 2>> pairs;  // i < j, ascending: no matter how the boxes lie in memory or in the grid
  struct Cell {
    std::uint64_t key = 0;
    int box = 0;
  };
  std::vector<Cell> cells, scratch;
  std::vector<int> large;
};

// Fills `pairs` with all boxes that overlap or touch. A box without bounds overlaps all others.
void find_pairs(std::span<const Box> boxes, BroadPhase& memory);

}  // namespace espalier::contact
