#include "espalier/math/rotation.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"

namespace espalier::math {
namespace {

using std::numbers::pi;

TEST(NearestTurn, IsTheSameAngleWithinHalfATurn) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const double angle = random.uniform(-40, 40);
    const double near = random.uniform(-40, 40);
    const double found = nearest_turn(angle, near);
    EXPECT_LE(std::abs(found - near), pi + 1e-12);
    EXPECT_NEAR(std::remainder(found - angle, kTurn), 0, 1e-12);
  }
}

// So that a coordinate that follows its own last value is not rounded at every step.
TEST(NearestTurn, LeavesAnAngleThatIsNearAlone) {
  EXPECT_EQ(nearest_turn(0.1, 3.0), 0.1);
  EXPECT_EQ(nearest_turn(-3.1, -0.2), -3.1);
  EXPECT_EQ(nearest_turn(0.1, 0.0, 0.2), 0.1);
  EXPECT_EQ(nearest_turn(100, 0.0, 200.0), 100);
}

// The limits of a hinge that is drawn a turn off.
TEST(NearestTurn, OfARangeComesAsNearAsWholeTurnsCan) {
  EXPECT_NEAR(nearest_turn(0.5 + kTurn, 0, 1), 0.5, 1e-15);
  EXPECT_NEAR(nearest_turn(0.5 - 3 * kTurn, 0, 1), 0.5, 1e-14);
  EXPECT_EQ(nearest_turn(1.5, 0, 1), 1.5);
  EXPECT_EQ(nearest_turn(-0.5, 0, 1), -0.5);
  EXPECT_NEAR(nearest_turn(4.5, 0, 1), 4.5 - kTurn, 1e-15);
}

// Half a turn off there are two answers, and no turn is made for nothing.
TEST(NearestTurn, OfARangeHalfATurnOutsideStays) {
  EXPECT_EQ(nearest_turn(1 + pi, 0, 1), 1 + pi);
  EXPECT_EQ(nearest_turn(-pi, 0, 1), -pi);
}

}  // namespace
}  // namespace espalier::math
