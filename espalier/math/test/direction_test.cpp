#include "espalier/math/rotation.hpp"

#include <gtest/gtest.h>

namespace espalier::math {
namespace {

using Eigen::Vector3d;

TEST(Direction, HasLengthOneWhateverTheSize) {
  for (const double size : {1e-300, 5e-324, 1e-200, 1.0, 1e200, 1e308, 1.7e308}) {
    const Vector3d unit = direction({size, -size, 0});
    EXPECT_NEAR(unit.norm(), 1, 1e-15) << size;
    EXPECT_EQ(unit.x(), -unit.y()) << size;
  }
  EXPECT_EQ(direction(Vector3d::Zero()), Vector3d::Zero());
  EXPECT_EQ(direction({3, 4, 5}), Vector3d(3, 4, 5).normalized());
}

TEST(Direction, TurnsFramesOfHugeAxes) {
  const Vector3d axis = rotation_with_z({1e308, 1e308, 0}) * Vector3d::UnitZ();
  EXPECT_NEAR((axis - Vector3d(1, 1, 0).normalized()).norm(), 0, 1e-15);
  const Vector3d x = rotation_with_xy({1e308, 1e308, 0}, {0, 0, 1e-200}) * Vector3d::UnitX();
  EXPECT_NEAR((x - Vector3d(1, 1, 0).normalized()).norm(), 0, 1e-15);
}

}  // namespace
}  // namespace espalier::math
