#include "espalier/contact/detail/partition.hpp"

#include <gtest/gtest.h>

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;

//      1 | 3        cuts at x = 0, then at y = 0 on the left and y = 1 on the right
//     ---|---
//      0 | 2
Cells four_cells() {
  Cells cells;
  cells.cuts = {{0, 0.0, 1, 2}, {1, 0.0, ~0, ~1}, {1, 1.0, ~2, ~3}};
  return cells;
}

std::vector<int> ranks_of(const Vector3d& low, const Vector3d& high) {
  std::vector<int> ranks = {7};
  cells_of(four_cells(), {low, high}, ranks);
  return ranks;
}

TEST(CellOf, APointOnACutLiesAboveIt) {
  EXPECT_EQ(cell_of(four_cells(), {-1, -1, 5}), 0);
  EXPECT_EQ(cell_of(four_cells(), {-1, 0, 5}), 1);
  EXPECT_EQ(cell_of(four_cells(), {0, 0.5, 5}), 2);
  EXPECT_EQ(cell_of(four_cells(), {0, 1, 5}), 3);
}

TEST(CellsOf, AreAllThatTheBoxMeetsAscending) {
  EXPECT_EQ(ranks_of({-2, -2, 0}, {-1, -1, 0}), (std::vector<int>{0}));
  EXPECT_EQ(ranks_of({-2, -2, 0}, {0, -1, 0}), (std::vector<int>{0, 2}));
  EXPECT_EQ(ranks_of({-2, 0, 0}, {-1, 3, 0}), (std::vector<int>{1}));
  EXPECT_EQ(ranks_of({-2, -2, 0}, {2, 2, 0}), (std::vector<int>{0, 1, 2, 3}));
}

// A box that holds a point meets the point's cell: what a body touches is found on that rank.
TEST(CellsOf, HoldTheCellOfEachOfTheirPoints) {
  for (double x = -1; x <= 1; x += 0.25) {
    for (double y = -1; y <= 2; y += 0.25) {
      const int cell = cell_of(four_cells(), {x, y, 0});
      EXPECT_EQ(ranks_of({x, y, 0}, {x, y, 0}).front(), cell) << x << " " << y;
    }
  }
}

TEST(Bisect, OneRankHasAllOfSpace) {
  const comm::Comm comm = comm::Comm::serial();
  const std::vector<WeightedPoint> points = {{{0, 0, 0}, 1}, {{1, 2, 3}, 5}};
  const Cells cells = bisect(comm, points);
  EXPECT_TRUE(cells.cuts.empty());
  ASSERT_EQ(cells.boxes.size(), 1u);
  EXPECT_LT(cells.boxes[0].low.maxCoeff(), -1e300);
  EXPECT_GT(cells.boxes[0].high.minCoeff(), 1e300);
  EXPECT_EQ(cell_of(cells, {1e9, -1e9, 0}), 0);
  EXPECT_EQ(imbalance(comm, 3), 1);
  EXPECT_EQ(imbalance(comm, 0), 1);
}

}  // namespace
}  // namespace espalier::contact::detail
