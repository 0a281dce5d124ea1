#include "espalier/math/pose.hpp"

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::math {
namespace {

using Eigen::Vector3d;

class PoseAlgebra : public testing::Test {
 protected:
  Pose pose() { return {vector(), rotation_exp(vector())}; }
  Vector3d vector() { return {random_.normal(), random_.normal(), random_.normal()}; }

  Random random_{7};
};

double gap(const Pose& a, const Pose& b) {
  const PoseGap between = gap_between(a, b);
  return between.distance + between.angle;
}

TEST_F(PoseAlgebra, ProductActsAsOneAfterTheOther) {
  for (int k = 0; k < 100; ++k) {
    const Pose a = pose(), b = pose();
    const Vector3d p = vector();
    EXPECT_LT(((a * b) * p - a * (b * p)).norm(), 1e-14);
  }
}

TEST_F(PoseAlgebra, InverseUndoes) {
  for (int k = 0; k < 100; ++k) {
    const Pose a = pose();
    const Vector3d p = vector();
    EXPECT_LT((a.inverse() * (a * p) - p).norm(), 1e-14);
    EXPECT_LT(gap(a * a.inverse(), {}), 1e-7);
  }
}

TEST_F(PoseAlgebra, RelativePoseChains) {
  for (int k = 0; k < 100; ++k) {
    const Pose a = pose(), b = pose();
    EXPECT_LT(gap(a * relative_pose(a, b), b), 1e-7);
  }
}

TEST_F(PoseAlgebra, GapMeasuresDistanceAndAngle) {
  for (const double angle : {1e-12, 1e-6, 0.5, 3.0}) {
    const Pose a = pose();
    const Pose b = a * Pose{Vector3d(3, 0, 4), rotation_exp(angle * Vector3d::UnitY())};
    EXPECT_NEAR(gap_between(a, b).distance, 5, 1e-13);
    EXPECT_NEAR(gap_between(a, b).angle, angle, 1e-14);
  }
  const Pose a = pose();
  EXPECT_EQ(gap_between(a, a).distance, 0);
  EXPECT_LT(gap_between(a, a).angle, 1e-15);
}

}  // namespace
}  // namespace espalier::math
