#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::math {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using std::numbers::pi;

Vector3d random_direction(Random& random) {
  return Vector3d(random.normal(), random.normal(), random.normal()).normalized();
}

// Rodrigues' formula: the part along the axis stays, the rest turns in its plane.
TEST(RotationAbout, IsRodriguesFormula) {
  Random random(31);
  for (int k = 0; k < 100; ++k) {
    const Vector3d axis = random_direction(random), v = random_direction(random);
    const double angle = random.uniform(-7, 7);
    const Vector3d along = axis.dot(v) * axis;
    const Vector3d turned = along + std::cos(angle) * (v - along) + std::sin(angle) * axis.cross(v);
    EXPECT_LT((rotation_about(axis, angle) * v - turned).norm(), 1e-14) << angle;
  }
}

TEST(RotationAbout, TurnsXToYAboutZ) {
  const Quaterniond quarter = rotation_about(Vector3d::UnitZ(), pi / 2);
  EXPECT_LT((quarter * Vector3d::UnitX() - Vector3d::UnitY()).norm(), 1e-15);
}

TEST(RotationAbout, AddsAnglesAboutOneAxis) {
  const Vector3d axis = Vector3d(1, -2, 2) / 3;
  const Quaterniond both = rotation_about(axis, 0.4) * rotation_about(axis, 1.1);
  EXPECT_LT((both.coeffs() - rotation_about(axis, 1.5).coeffs()).norm(), 1e-15);
}

// A quaternion counts half the angle: after one turn it has changed its sign, after two it is itself again.
TEST(RotationAbout, OneTurnChangesTheQuaternionsSign) {
  EXPECT_EQ(rotation_about(Vector3d::UnitX(), 0).coeffs(), Quaterniond::Identity().coeffs());
  EXPECT_NEAR(rotation_about(Vector3d::UnitX(), 2 * pi).w(), -1, 1e-15);
  EXPECT_NEAR(rotation_about(Vector3d::UnitX(), 4 * pi).w(), 1, 1e-15);
}

}  // namespace
}  // namespace espalier::math
