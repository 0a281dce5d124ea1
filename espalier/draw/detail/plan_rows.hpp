#pragma once

#include <vector>

#include "espalier/plan/plan.hpp"

namespace espalier::draw::detail {

// A line of the picture that is not in the tree: a cut joint, or the weld of a cut body.
struct Link {
  int edge = -1;  // -1: a weld
  int a = -1;
  int b = -1;
};

// Which row of the picture each vertex stands in (plan_layout.hpp).
struct Rows {
  std::vector<Link> links;
  std::vector<std::vector<int>> links_at;  // by vertex
  std::vector<std::vector<int>> children;  // by vertex, from top to bottom
  std::vector<char> owns_row;              // by vertex; others stand in the middle of their children
  std::vector<int> row;                    // by vertex; of those in the middle, a row of theirs nearby
  std::vector<int> piece;                  // by row: which tree of a forest
  int count = 0;
};

// Orders children so that links are short: first by the mean row of what they are linked to, then, in small graphs, by
// swapping neighbours as long as that helps.
Rows find_rows(const plan::Plan& plan);

}  // namespace espalier::draw::detail
