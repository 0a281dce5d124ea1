#include "espalier/model/joint.hpp"

#include <numbers>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::model {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using std::numbers::pi;

constexpr double kPitch = 0.3;  // [m/rev]

std::vector<double> random_position(JointType type, Random& random) {
  std::vector<double> q;
  const JointKind& kind = joint_kind(type);
  const bool quaternion = kind.position_size != kind.freedom;
  for (const CoordinateKind coordinate : kind.coordinates) {
    if (coordinate == CoordinateKind::kLength) q.push_back(random.uniform(-2, 2));
    if (coordinate == CoordinateKind::kAngle && !quaternion) q.push_back(random.uniform(-pi, pi));
  }
  if (type == JointType::kScrew) q[0] *= 10;  // some turns
  if (quaternion) {
    const Quaterniond r =
        math::canonical(Quaterniond(random.normal(), random.normal(), random.normal(), random.normal()).normalized());
    q.insert(q.end(), {r.w(), r.x(), r.y(), r.z()});
  }
  return q;
}

// Both frames turned about z: a joint with one axis moves as before; about any direction: only one without axes does.
TEST(JointTable, AxesAreTheDirectionsThatMatter) {
  Random random(17);
  const math::Pose spin{Vector3d::Zero(), math::rotation_exp({0, 0, 0.7})};
  const math::Pose tilt{Vector3d::Zero(), math::rotation_exp({0.5, -0.3, 0.4})};
  for (const JointKind& kind : joint_kinds()) {
    const auto moves_as_before = [&](const math::Pose& turn) {
      for (int k = 0; k < 20; ++k) {
        const std::vector<double> q = random_position(kind.type, random);
        const math::Pose turned = turn.inverse() * joint_pose(kind.type, kPitch, q) * turn;
        const math::PoseGap gap = joint_gap(kind.type, kPitch, turned);
        if (gap.distance > 1e-6 || gap.angle > 1e-6) return false;
      }
      return true;
    };
    const int axes = moves_as_before(tilt) ? 0 : moves_as_before(spin) ? 1 : 2;
    EXPECT_EQ(kind.axes, axes) << kind.name;
  }
}

TEST(JointPosition, InvertsJointPoseForAllTypes) {
  Random random(13);
  for (const JointKind& kind : joint_kinds()) {
    for (int k = 0; k < 200; ++k) {
      const std::vector<double> q = random_position(kind.type, random);
      const math::Pose pose = joint_pose(kind.type, kPitch, q);
      const std::vector<double> back = joint_position(kind.type, kPitch, pose);
      ASSERT_EQ(back.size(), to_index(kind.position_size));
      for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(back[i], q[i], 1e-12) << kind.name;
      EXPECT_LT(joint_gap(kind.type, kPitch, pose).distance, 1e-12) << kind.name;
      EXPECT_LT(joint_gap(kind.type, kPitch, pose).angle, 1e-7) << kind.name;
    }
  }
}

TEST(JointPosition, DoesNotDependOnTheQuaternionsSign) {
  const std::vector<double> q = {0.5};
  math::Pose pose = joint_pose(JointType::kRevolute, 0, q);
  pose.rotation.coeffs() *= -1;
  EXPECT_NEAR(joint_position(JointType::kRevolute, 0, pose)[0], 0.5, 1e-15);
}

TEST(JointPose, FollowsItsConventions) {
  const std::vector<double> turn = {pi / 2};
  EXPECT_LT((joint_pose(JointType::kRevolute, 0, turn) * Vector3d(1, 0, 0) - Vector3d(0, 1, 0)).norm(), 1e-15);
  EXPECT_LT((joint_pose(JointType::kScrew, 0.4, turn).position - Vector3d(0, 0, 0.1)).norm(), 1e-15);
  const std::vector<double> cylindrical = {2, pi / 2};
  EXPECT_LT((joint_pose(JointType::kCylindrical, 0, cylindrical) * Vector3d(1, 0, 0) - Vector3d(0, 1, 2)).norm(),
            1e-15);
  const std::vector<double> planar = {1, 2, pi / 2};
  EXPECT_LT((joint_pose(JointType::kPlanar, 0, planar) * Vector3d(1, 0, 0) - Vector3d(1, 3, 0)).norm(), 1e-15);
}

// The first axis of a universal joint is x of F, the second y of M.
TEST(JointPose, OfAUniversalJointKeepsItsAxesSquare) {
  Random random(14);
  for (int k = 0; k < 50; ++k) {
    const std::vector<double> q = random_position(JointType::kUniversal, random);
    const Quaterniond R = joint_pose(JointType::kUniversal, 0, q).rotation;
    EXPECT_NEAR((R * Vector3d::UnitY()).x(), 0, 1e-15);
    // Turning the second coordinate alone turns about y of M.
    const std::vector<double> further = {q[0], q[1] + 0.1};
    const Quaterniond change = R.conjugate() * joint_pose(JointType::kUniversal, 0, further).rotation;
    EXPECT_LT((math::rotation_log(change) - Vector3d(0, 0.1, 0)).norm(), 1e-14);
  }
}

TEST(JointGap, MeasuresWhatTheJointCannotTake) {
  const math::Pose off{Vector3d(0.03, 0, 0.04), math::rotation_exp({0.1, 0, 0})};
  const auto gap = [&](JointType type) { return joint_gap(type, kPitch, off); };
  EXPECT_NEAR(gap(JointType::kRevolute).distance, 0.05, 1e-15);
  EXPECT_NEAR(gap(JointType::kRevolute).angle, 0.1, 1e-14);
  EXPECT_NEAR(gap(JointType::kPrismatic).distance, 0.03, 1e-15);
  EXPECT_NEAR(gap(JointType::kPlanar).distance, 0.04, 1e-15);
  EXPECT_NEAR(gap(JointType::kSpherical).distance, 0.05, 1e-15);
  EXPECT_NEAR(gap(JointType::kSpherical).angle, 0, 1e-14);
  EXPECT_NEAR(gap(JointType::kUniversal).angle, 0, 1e-14);
  EXPECT_NEAR(gap(JointType::kFree).distance, 0, 1e-15);
  EXPECT_NEAR(gap(JointType::kFixed).distance, 0.05, 1e-15);
}

TEST(JointDeathTest, APositionOfAWrongSizeIsOurMistake) {
  const std::vector<double> two = {1, 2};
  EXPECT_DEATH(joint_pose(JointType::kRevolute, 0, two), "wrong size");
}

}  // namespace
}  // namespace espalier::model
