#include "espalier/contact/detail/block_lu.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include "espalier/base/index.hpp"

namespace espalier::contact::detail {
namespace {

std::vector<int> minimum_degree(std::span<const int> begin, std::span<const int> column) {
  const int rows = static_cast<int>(begin.size()) - 1;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < rows; ++i) {
    for (int k = begin[i]; k < begin[i + 1]; ++k) {
      // Columns beyond the rows are no unknowns.
      if (column[k] < rows) entries.emplace_back(i, column[k], 1.0);
    }
  }
  Eigen::SparseMatrix<double> pattern(rows, rows);
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> found;
  Eigen::AMDOrdering<int>()(pattern, found);
  return {found.indices().begin(), found.indices().end()};
}

// The pattern of row i is that of A and what its children in the elimination tree hand on.
void find_fill(std::span<const int> begin, std::span<const int> column, BlockLu& lu) {
  std::vector<std::vector<int>> pattern(to_index(lu.rows));
  std::vector<std::vector<int>> children(to_index(lu.rows));
  std::vector<int> seen(to_index(lu.rows), -1);
  lu.begin = {0};
  for (int i = 0; i < lu.rows; ++i) {
    seen[i] = i;
    auto take = [&](int j) {
      // The upper half alone: both halves have one pattern.
      if (j > i && seen[j] != i) {
        seen[j] = i;
        pattern[i].push_back(j);
      }
    };
    for (int k = begin[lu.order[i]]; k < begin[lu.order[i] + 1]; ++k) {
      if (column[k] < lu.rows) take(lu.place[column[k]]);
    }
    for (const int child : children[i]) std::for_each(pattern[child].begin(), pattern[child].end(), take);
    std::sort(pattern[i].begin(), pattern[i].end());
    // The first row that this one reaches is its parent in the elimination tree.
    if (!pattern[i].empty()) children[pattern[i].front()].push_back(i);
    lu.column.insert(lu.column.end(), pattern[i].begin(), pattern[i].end());
    lu.begin.push_back(static_cast<int>(lu.column.size()));
  }
}

int find_slot(const BlockLu& lu, int row, int column) {
  const auto first = lu.column.begin() + lu.begin[row], last = lu.column.begin() + lu.begin[row + 1];
  return static_cast<int>(std::lower_bound(first, last, column) - lu.column.begin());
}

void scatter(std::span<const int> begin, std::span<const int> column, std::span<const Eigen::Matrix3d> blocks,
             BlockLu& lu) {
  for (auto* values : {&lu.upper, &lu.lower, &lu.pivot})
    std::fill(values->begin(), values->end(), Eigen::Matrix3d::Zero());
  for (int row = 0; row < lu.rows; ++row) {
    for (int k = begin[row]; k < begin[row + 1]; ++k) {
      if (column[k] >= lu.rows) continue;
      Eigen::Matrix3d& target = column[k] == row  ? lu.pivot[lu.place[row]]
                                : lu.slot[k] >= 0 ? lu.upper[lu.slot[k]]
                                                  : lu.lower[-1 - lu.slot[k]];
      target = blocks[k];
    }
  }
}

// Row and column i less what the eliminated row c, which reaches i with its block number k, takes from them.
void update(BlockLu& lu, int i, int c, int k) {
  const Eigen::Matrix3d L = lu.lower[k], V = lu.upper[k];
  lu.pivot[i].noalias() -= L.lazyProduct(V);
  // The fill has been found before: every target is there.
  for (int m = k + 1; m < lu.begin[c + 1]; ++m) {
    const int target = lu.where[lu.column[m]];
    lu.upper[target].noalias() -= L.lazyProduct(lu.upper[m]);
    lu.lower[target].noalias() -= lu.lower[m].lazyProduct(V);
  }
}

// Rows wait in the list of the next row they reach, so that each row finds those it needs.
void wait_for_next(BlockLu& lu, int c) {
  if (lu.cursor[c] == lu.begin[c + 1]) return;
  const int row = lu.column[lu.cursor[c]];
  lu.next[c] = lu.head[row];
  lu.head[row] = c;
}

}  // namespace

BlockLu make_block_lu(std::span<const int> begin, std::span<const int> column) {
  BlockLu lu;
  lu.rows = static_cast<int>(begin.size()) - 1;
  lu.order = minimum_degree(begin, column);
  lu.place.resize(lu.order.size());
  for (int i = 0; i < lu.rows; ++i) lu.place[lu.order[i]] = i;
  find_fill(begin, column, lu);
  lu.upper.resize(lu.column.size());
  lu.lower.resize(lu.column.size());
  lu.pivot.resize(lu.order.size());
  // Where each given block goes: to factorise again then takes no search.
  lu.slot.resize(column.size());
  for (int row = 0; row < lu.rows; ++row) {
    for (int k = begin[row]; k < begin[row + 1]; ++k) {
      if (column[k] >= lu.rows || column[k] == row) continue;
      const int i = lu.place[row], j = lu.place[column[k]];
      // Below the diagonal a block is the mirror of one above, and has that one's slot with another sign.
      lu.slot[k] = i < j ? find_slot(lu, i, j) : -1 - find_slot(lu, j, i);
    }
  }
  for (auto* list : {&lu.where, &lu.next, &lu.head, &lu.cursor}) list->resize(lu.order.size());
  return lu;
}

bool factorise(std::span<const int> begin, std::span<const int> column, std::span<const Eigen::Matrix3d> blocks,
               BlockLu& lu) {
  scatter(begin, column, blocks, lu);
  std::fill(lu.head.begin(), lu.head.end(), -1);
  for (int i = 0; i < lu.rows; ++i) {
    // Where the blocks of this row stand, by column: rows that are taken off it look there.
    for (int k = lu.begin[i]; k < lu.begin[i + 1]; ++k) lu.where[lu.column[k]] = k;
    // All eliminated rows that reach this one, each with the block by which it does.
    for (int c = lu.head[i]; c >= 0;) {
      // Taken now: the row waits elsewhere in a moment, by the same link.
      const int following = lu.next[c];
      update(lu, i, c, lu.cursor[c]);
      ++lu.cursor[c];
      wait_for_next(lu, c);
      c = following;
    }
    // Pivots stay on the diagonal: by_U W + by_R is near to a positive definite matrix.
    const Eigen::Matrix3d inverse = lu.pivot[i].inverse();
    if (!inverse.allFinite()) return false;
    lu.pivot[i] = inverse;
    // Rows are scaled to a unit diagonal and columns are not: one product less per block.
    for (int k = lu.begin[i]; k < lu.begin[i + 1]; ++k) lu.upper[k] = inverse.lazyProduct(lu.upper[k]).eval();
    lu.cursor[i] = lu.begin[i];
    wait_for_next(lu, i);
  }
  return true;
}

void solve_blocks(const BlockLu& lu, std::span<Eigen::Vector3d> x, std::span<Eigen::Vector3d> scratch) {
  for (int i = 0; i < lu.rows; ++i) scratch[i] = x[lu.order[i]];
  // Down the columns: each unknown leaves the rows below as soon as it is known.
  for (int i = 0; i < lu.rows; ++i) {
    scratch[i] = lu.pivot[i] * scratch[i];
    for (int k = lu.begin[i]; k < lu.begin[i + 1]; ++k) scratch[lu.column[k]] -= lu.lower[k] * scratch[i];
  }
  for (int i = lu.rows - 1; i >= 0; --i) {
    for (int k = lu.begin[i]; k < lu.begin[i + 1]; ++k) scratch[i] -= lu.upper[k] * scratch[lu.column[k]];
  }
  for (int i = 0; i < lu.rows; ++i) x[lu.order[i]] = scratch[i];
}

}  // namespace espalier::contact::detail
