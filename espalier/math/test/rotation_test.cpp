#include "espalier/math/rotation.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"
#include "espalier/math/pose.hpp"

namespace espalier::math {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using std::numbers::pi;

Vector3d random_direction(Random& random) {
  return Vector3d(random.normal(), random.normal(), random.normal()).normalized();
}

double angle_between(const Quaterniond& a, const Quaterniond& b) {
  return gap_between({Vector3d::Zero(), a}, {Vector3d::Zero(), b}).angle;
}

TEST(RotationLog, InvertsExpFromZeroToPi) {
  Random random(1);
  for (const double angle : {0.0, 1e-300, 1e-15, 1e-9, 0.9e-5, 1.1e-5, 0.99e-4, 1.01e-4, 1e-2, 1.0, 2.0, 3.0, pi - 1e-3,
                             pi - 1e-6, pi - 1e-9, pi - 1e-12}) {
    const Vector3d v = angle * random_direction(random);
    EXPECT_LE((rotation_log(rotation_exp(v)) - v).norm(), 1e-14 * std::max(angle, 1e-2)) << "angle " << angle;
  }
}

// At half a turn v and -v are the same rotation.
TEST(RotationLog, OfHalfATurnIsPiLong) {
  const Vector3d log = rotation_log(Quaterniond(0, 0.6, 0, 0.8));
  EXPECT_NEAR(log.norm(), pi, 1e-15);
  EXPECT_NEAR(std::abs(log.normalized().dot(Vector3d(0.6, 0, 0.8))), 1, 1e-15);
}

TEST(RotationLog, DoesNotDependOnTheQuaternionsSign) {
  Random random(2);
  for (int k = 0; k < 100; ++k) {
    const Quaterniond q(random.normal(), random.normal(), random.normal(), random.normal());
    const Quaterniond unit = q.normalized();
    const Quaterniond negative(-unit.w(), -unit.x(), -unit.y(), -unit.z());
    EXPECT_LT((rotation_log(unit) - rotation_log(negative)).norm(), 1e-15);
    EXPECT_LE(rotation_log(unit).norm(), pi);
    EXPECT_LT(angle_between(rotation_exp(rotation_log(unit)), unit), 1e-7);
  }
}

TEST(RotationExp, TurnsCounterclockwise) {
  const Vector3d turned = rotation_exp({0, 0, pi / 2}) * Vector3d::UnitX();
  EXPECT_LT((turned - Vector3d::UnitY()).norm(), 1e-15);
}

TEST(Skew, MakesTheCrossProduct) {
  Random random(3);
  for (int k = 0; k < 20; ++k) {
    const Vector3d a = random_direction(random);
    const Vector3d b = random_direction(random);
    EXPECT_LT((skew(a) * b - a.cross(b)).norm(), 1e-15);
  }
}

TEST(Rpy, TurnsAboutFixedXThenYThenZ) {
  const Quaterniond x(Eigen::AngleAxisd(0.3, Vector3d::UnitX()));
  const Quaterniond y(Eigen::AngleAxisd(-0.8, Vector3d::UnitY()));
  const Quaterniond z(Eigen::AngleAxisd(2.5, Vector3d::UnitZ()));
  EXPECT_LT(angle_between(rotation_from_rpy({0.3, -0.8, 2.5}), z * y * x), 1e-7);
}

TEST(RotationWithZ, PutsZOnTheAxisAndIsTheIdentityForPlusZ) {
  Random random(4);
  EXPECT_EQ(rotation_with_z(Vector3d::UnitZ()).coeffs(), Quaterniond::Identity().coeffs());
  for (int k = 0; k < 200; ++k) {
    const Vector3d axis = random_direction(random);
    EXPECT_LT((rotation_with_z(3 * axis) * Vector3d::UnitZ() - axis).norm(), 1e-14);
  }
  for (const double tiny : {0.0, 1e-200, 1e-100, 1e-16, 1e-12, 1e-9, 1e-8, 1e-7, 1e-6, 1e-3}) {
    const Vector3d nearly_down = Vector3d(tiny, -2 * tiny, -1).normalized();
    EXPECT_LT((rotation_with_z(nearly_down) * Vector3d::UnitZ() - nearly_down).norm(), 1e-15) << tiny;
  }
}

TEST(RotationWithXy, PutsXOnTheFirstAndYInTheirPlane) {
  Random random(5);
  for (int k = 0; k < 200; ++k) {
    const Vector3d x = random_direction(random);
    const Vector3d y = random_direction(random);
    const Matrix3d R = rotation_with_xy(2 * x, 3 * y).toRotationMatrix();
    EXPECT_LT((R.col(0) - x).norm(), 1e-14);
    EXPECT_NEAR(R.col(2).dot(y), 0, 1e-14);
    EXPECT_GT(R.col(1).dot(y), 0);
    EXPECT_NEAR(R.determinant(), 1, 1e-14);
  }
}

TEST(Normalised, LeavesUnitQuaternionsBitForBit) {
  Random random(6);
  for (int k = 0; k < 100; ++k) {
    const Quaterniond q = Quaterniond(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
    EXPECT_EQ(normalised(q).coeffs(), q.coeffs());
  }
  EXPECT_NEAR(normalised(Quaterniond(2, 0, 0, 0)).w(), 1, 0);
}

TEST(Canonical, MakesTheFirstNonZeroComponentPositive) {
  EXPECT_EQ(canonical(Quaterniond(-0.6, 0.8, 0, 0)).coeffs(), Quaterniond(0.6, -0.8, 0, 0).coeffs());
  EXPECT_EQ(canonical(Quaterniond(0, 0, -1, 0)).coeffs(), Quaterniond(0, 0, 1, 0).coeffs());
  EXPECT_EQ(canonical(Quaterniond(0.6, -0.8, 0, 0)).coeffs(), Quaterniond(0.6, -0.8, 0, 0).coeffs());
}

}  // namespace
}  // namespace espalier::math
