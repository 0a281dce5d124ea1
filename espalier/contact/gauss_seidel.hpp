#pragma once

// Block Gauss-Seidel: each row is solved exactly with all others held, colour by colour.
// Rows of one colour share no block, so that within a colour the order does not matter: ranks that each sweep their own
// rows of a colour, and then tell each other, do the same arithmetic as one that sweeps all.

#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/contact/local_problem.hpp"

namespace espalier::contact {

// Rows put together by colour; ascending within each.
struct ColourOrder {
  std::vector<int> begin = {0};  // rows begin[c] .. begin[c + 1] have colour c
  std::vector<int> rows;

  int colours() const { return static_cast<int>(begin.size()) - 1; }
  std::span<const int> of(int colour) const {
    return std::span(rows).subspan(begin[colour], begin[colour + 1] - begin[colour]);
  }
};

// One colour a row, 0 or more: the lowest that no lower row with a common block has. O(blocks).
std::vector<int> colour_rows(const LocalProblem& problem);
ColourOrder order_by_colour(std::span<const int> colour);

// Solves these rows, one after the other, and writes their R; the R of other rows, also those beyond problem.rows, is
// read only. Adds |dR|^2 and |R|^2 to the sums, where there are any.
void sweep_rows(const LocalProblem& problem, std::span<const int> rows, std::span<Eigen::Vector3d> R,
                AccuracySums* sums);
// All colours, first to last.
void sweep(const LocalProblem& problem, const ColourOrder& order, std::span<Eigen::Vector3d> R, AccuracySums* sums);

}  // namespace espalier::contact
