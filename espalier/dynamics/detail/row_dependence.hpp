#pragma once

// Which rows of a sparse matrix others imply, and how.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "espalier/dynamics/detail/constraint_rows.hpp"

namespace espalier::dynamics::detail {

using SparseVector = std::vector<std::pair<int, double>>;  // index and value, by increasing index

struct RowDependence {
  int rank = 0;
  std::vector<int> dependent;          // rows that those before them in the order imply, in that order
  std::vector<SparseVector> relation;  // by dependent row: y with y^T G = 0, 1 at the row itself
  double smallest_kept = 0;            // largest entry of the row that came nearest to being implied; 0: no row
  double largest_dropped = 0;          // the same of what was left of implied rows
  bool complete = true;                // false: given up, fill-in passed `most_entries`
};

// Gaussian elimination row by row in this order. A row is implied where less than `tolerance` is left of it: entries
// are taken to be of the order of 1. Pivots are within a factor 10 of a row's largest entry and stand in columns with
// few entries, so that local loops stay local: O(rows) for ladders.
RowDependence find_dependent_rows(const SparseRows& G, std::span<const int> order, double tolerance,
                                  std::size_t most_entries);

}  // namespace espalier::dynamics::detail
