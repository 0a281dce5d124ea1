#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/math/pose.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::math {
namespace {

// The three angles lose their meaning one by one as pitch nears 90 degrees; the rotation they make must not.
TEST(Rpy, GivesTheRotationBackHoweverNearThePole) {
  for (const double distance : {1.0, 1e-3, 1e-6, 1e-8, 1e-9, 1e-12, 1e-14, 1e-16, 0.0}) {
    for (const double sign : {-1.0, 1.0}) {
      const Eigen::Quaterniond q = rotation_from_rpy({0.7, sign * (std::numbers::pi / 2 - distance), -1.3});
      const Eigen::Quaterniond back = rotation_from_rpy(rpy_from_rotation(q));
      EXPECT_LT(gap_between({{}, q}, {{}, back}).angle, 1e-13) << "distance " << distance;
    }
  }
}

TEST(Rpy, ReadsOffTheAnglesItWasMadeFrom) {
  const Eigen::Vector3d rpy(0.3, -0.8, 2.5);
  EXPECT_LT((rpy_from_rotation(rotation_from_rpy(rpy)) - rpy).norm(), 1e-14);
}

}  // namespace
}  // namespace espalier::math
