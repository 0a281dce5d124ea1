#pragma once

// Broad phase: which boxes overlap, by a grid of several cell sizes that is sorted anew each time.
// Cost: O((n + pairs) x sizes): boxes are sorted into classes of like size, each with cells twice as large as the
// last's, and looked for in their own class and in those above. Boxes without bounds are tried against all others.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/geometry/geometry.hpp"

namespace espalier::geometry {

// Memory that is made once.
struct BroadPhase {
  std::vector<std::array<int, 2>> pairs;  // i < j, ascending: no matter how the boxes lie in memory or in the grid
  struct Cell {
    std::uint64_t key = 0;
    int box = 0;
  };
  std::vector<Cell> cells, scratch;
  std::vector<Box> sorted;  // boxes in the order of cells
  std::vector<int> large;   // boxes without bounds, or far larger than the others
  std::vector<double> extents;
  std::vector<std::array<int, 2>> found;
  std::vector<int> begin;
};

// Fills `pairs` with all boxes that overlap or touch. A box without bounds overlaps all others. One that holds a NaN,
// or whose low lies above its high, overlaps none.
void find_pairs(std::span<const Box> boxes, BroadPhase& memory);

}  // namespace espalier::geometry
