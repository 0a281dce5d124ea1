#include "espalier/modes/detail/drafts.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace espalier::modes::detail {
namespace {

TEST(Split, PutsWhatAMapSeesFirst) {
  Eigen::MatrixXd map(2, 3);
  map << 0, 2, 0, 0, 0, 1e-12;
  const Split found = split(map);
  EXPECT_EQ(found.rank, 1);
  EXPECT_NEAR(std::abs(found.right(1, 0)), 1, 1e-15);
  EXPECT_NEAR(std::abs(found.left(0, 0)), 1, 1e-15);
  EXPECT_LT((map * found.right.rightCols(2)).norm(), 1e-11);
  EXPECT_LT((found.right.transpose() * found.right - Eigen::Matrix3d::Identity()).norm(), 1e-14);
}

TEST(Split, OfNothingSeesNothing) {
  const Split found = split(Eigen::MatrixXd(0, 4));
  EXPECT_EQ(found.rank, 0);
  EXPECT_EQ(found.right.cols(), 4);
  EXPECT_EQ(found.left.cols(), 0);
}

// The geometric mean of 2, 200 and of EI / l^3 = 20.
TEST(TypicalStiffness, IsTheMeanOfDecades) {
  std::vector<Draft> drafts(2);
  EXPECT_EQ(typical_stiffness(drafts), 1);
  drafts[0].hop.hinge.stiffness = {2, 0, 200};
  drafts[1].hop.is_beam = true;
  drafts[1].hop.beam.length = 0.5;
  drafts[1].hop.beam.EIy = 1;
  drafts[1].hop.beam.EIz = 1.5;
  EXPECT_NEAR(typical_stiffness(drafts), 20, 1e-13);
}

}  // namespace
}  // namespace espalier::modes::detail
