#include "espalier/modes/detail/loop_motions.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace espalier::modes::detail {
namespace {

// A lever: the first coordinate of the link follows its parent by 3, the second is its own.
TEST(FindRowMotions, CarriesARowAlongItsWay) {
  std::vector<RigidJoint> joints(2);
  joints[0].coordinates = 1;
  joints[1] = {0, 2, (Eigen::MatrixXd(1, 2) << 1, 0).finished(), (Eigen::MatrixXd(1, 1) << 3).finished()};
  RigidRow row;
  row.vertex = {1, -1};
  row.along[0] = (Eigen::RowVectorXd(2) << 2, 5).finished();
  const std::vector<RowMotions> found = find_row_motions(joints, {row});
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].size(), 2u);
  EXPECT_EQ(found[0][0].vertex, 1);
  EXPECT_EQ(found[0][0].column, 1);
  EXPECT_NEAR(std::abs(found[0][0].value), 5, 1e-14);
  EXPECT_EQ(found[0][1].vertex, 0);
  EXPECT_EQ(found[0][1].column, 0);
  EXPECT_NEAR(found[0][1].value, 6, 1e-14);
}

// What both ways have in common cancels.
TEST(IndependentRows, SumsUpBothWays) {
  IndependentRows rows;
  EXPECT_FALSE(rows.accept({{0, 0, 2.0}, {0, 0, -2.0}}, {1}, 1e-9));
  EXPECT_TRUE(rows.accept({{0, 0, 2.0}, {0, 0, -1.0}}, {1}, 1e-9));
}

TEST(IndependentRows, MeasureWhatIsLeftBesideTheOthers) {
  const RowMotions first = {{0, 0, 1.0}}, tilted = {{0, 0, 1.0}, {0, 1, 1e-6}};
  IndependentRows rows;
  EXPECT_TRUE(rows.accept(first, {1}, 1e-9));
  EXPECT_FALSE(rows.accept(first, {1}, 1e-9));
  EXPECT_FALSE(rows.accept(tilted, {1}, 1e-5));
  EXPECT_TRUE(rows.accept(tilted, {1}, 1e-7));
}

TEST(IndependentRows, HeldVerticesDoNotCount) {
  IndependentRows rows;
  EXPECT_FALSE(rows.accept({{0, 0, 1.0}, {1, 1, 1e-3}}, {0, 1}, 1e-2));
  EXPECT_TRUE(rows.accept({{0, 0, 1.0}, {1, 1, 1e-3}}, {0, 1}, 1e-4));
}

}  // namespace
}  // namespace espalier::modes::detail
