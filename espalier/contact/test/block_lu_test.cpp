#include "espalier/contact/detail/block_lu.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

// Blocks by row, ascending columns.
struct Blocks {
  std::vector<int> begin = {0}, column;
  std::vector<Matrix3d> values;

  void add(int j, const Matrix3d& value) {
    column.push_back(j);
    values.push_back(value);
  }
  void end_row() { begin.push_back(static_cast<int>(column.size())); }

  MatrixXd dense(int rows) const {
    MatrixXd A = MatrixXd::Zero(3 * rows, 3 * rows);
    for (int i = 0; i < rows; ++i) {
      for (int k = begin[i]; k < begin[i + 1]; ++k) {
        if (column[k] < rows) A.block<3, 3>(3 * i, 3 * column[k]) = values[k];
      }
    }
    return A;
  }
};

Matrix3d random_block(Random& random) {
  Matrix3d block;
  for (int k = 0; k < 9; ++k) block.data()[k] = random.uniform(-1, 1);
  return block;
}

// Rows i and j have a block where `is_coupled`; values are not symmetric, and the diagonal is far larger than the rest.
template <class Coupled>
Blocks make_blocks(int rows, const Coupled& is_coupled) {
  Random random(11);
  Blocks blocks;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) {
      if (i == j) blocks.add(j, random_block(random) + 4 * rows * Matrix3d::Identity());
      if (i != j && is_coupled(i, j)) blocks.add(j, random_block(random));
    }
    blocks.end_row();
  }
  return blocks;
}

double error_of(const Blocks& blocks, int rows) {
  BlockLu lu = make_block_lu(blocks.begin, blocks.column);
  EXPECT_TRUE(factorise(blocks.begin, blocks.column, blocks.values, lu));
  Random random(5);
  std::vector<Vector3d> x, scratch(to_index(rows));
  Eigen::VectorXd b(3 * rows);
  for (int i = 0; i < rows; ++i) {
    x.push_back({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    b.segment<3>(3 * i) = x.back();
  }
  solve_blocks(lu, x, scratch);
  const Eigen::VectorXd wanted = blocks.dense(rows).partialPivLu().solve(b);
  double error = 0;
  for (int i = 0; i < rows; ++i) error = std::max(error, (x[i] - wanted.segment<3>(3 * i)).norm());
  return error / wanted.norm();
}

TEST(BlockLu, SolvesAsADenseEliminationDoes) {
  const auto ring = [](int i, int j) { return (i + 1) % 12 == j || (j + 1) % 12 == i; };
  EXPECT_LT(error_of(make_blocks(12, ring), 12), 1e-14);
  EXPECT_LT(error_of(make_blocks(9, [](int i, int j) { return (i * j) % 3 == 0; }), 9), 1e-14);
  EXPECT_LT(error_of(make_blocks(1, [](int, int) { return false; }), 1), 1e-14);
}

// A chain, eliminated from its ends, fills nothing in; a star does not either where its centre comes last.
TEST(BlockLu, ChainsAndStarsHaveNoFill) {
  const Blocks chain = make_blocks(20, [](int i, int j) { return i - j == 1 || j - i == 1; });
  EXPECT_EQ(make_block_lu(chain.begin, chain.column).column.size(), 19u);
  const Blocks star = make_blocks(20, [](int i, int j) { return i == 0 || j == 0; });
  EXPECT_EQ(make_block_lu(star.begin, star.column).column.size(), 19u);
}

// What stands beyond the rows belongs to rows of other ranks, whose answer is given.
TEST(BlockLu, LeavesOutColumnsBeyondTheRows) {
  Blocks blocks = make_blocks(3, [](int i, int j) { return i - j == 1 || j - i == 1; });
  Blocks longer;
  for (int i = 0; i < 3; ++i) {
    for (int k = blocks.begin[i]; k < blocks.begin[i + 1]; ++k) longer.add(blocks.column[k], blocks.values[k]);
    longer.add(3 + i, Matrix3d::Constant(7));
    longer.end_row();
  }
  EXPECT_LT(error_of(longer, 3), 1e-14);
}

TEST(BlockLu, SaysWhereAPivotVanishes) {
  Blocks blocks = make_blocks(2, [](int, int) { return true; });
  blocks.values[0].setZero();
  blocks.values[1].setZero();
  BlockLu lu = make_block_lu(blocks.begin, blocks.column);
  EXPECT_FALSE(factorise(blocks.begin, blocks.column, blocks.values, lu));
}

}  // namespace
}  // namespace espalier::contact::detail
