#pragma once

// Sparse elimination with 3 x 3 blocks: A = L U for matrices whose pattern is symmetric and whose values are not.
// Pivots are taken from the diagonal, block by block, in an order of minimum degree [George89] found once; made for
// matrices near to positive definite ones. What fills in is known before any number is.

#include <span>
#include <vector>

#include <Eigen/Core>

namespace espalier::contact::detail {

struct BlockLu {
  int rows = 0;
  std::vector<int> order, place;                     // the row eliminated as i-th, and when a row is
  std::vector<int> begin;                            // of the blocks beyond the diagonal of eliminated row i
  std::vector<int> column;                           // when their rows are eliminated, ascending, all after i
  std::vector<Eigen::Matrix3d> upper, lower, pivot;  // D^-1 U; L; D, then D^-1
  std::vector<int> slot;                             // where a block given goes: k >= 0 to upper, -1 - k to lower
  std::vector<int> where, next, head, cursor;
};

// Symbolic part, from block rows as LocalProblem has them; columns beyond the rows are left out.
BlockLu make_block_lu(std::span<const int> begin, std::span<const int> column);

// Numbers of the same blocks, in the same order; false where a pivot vanishes.
bool factorise(std::span<const int> begin, std::span<const int> column, std::span<const Eigen::Matrix3d> blocks,
               BlockLu& lu);

// x: the right-hand side and then the answer. `scratch` as long.
void solve_blocks(const BlockLu& lu, std::span<Eigen::Vector3d> x, std::span<Eigen::Vector3d> scratch);

}  // namespace espalier::contact::detail
