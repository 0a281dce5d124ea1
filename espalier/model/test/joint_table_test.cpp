#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::model {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using std::numbers::pi;

constexpr double kPitch = 0.3;  // [m/rev]

TEST(JointTable, FreedomAndConstraintMakeSix) {
  ASSERT_EQ(joint_kinds().size(), 9u);
  for (const JointKind& kind : joint_kinds()) {
    EXPECT_EQ(kind.freedom + kind.constraint, 6) << kind.name;
    EXPECT_EQ(static_cast<int>(kind.coordinates.size()), kind.freedom) << kind.name;
    EXPECT_EQ(joint_kind(kind.type).name, kind.name);
    EXPECT_EQ(find_joint_type(kind.name), kind.type);
  }
  EXPECT_EQ(find_joint_type("hinge"), std::nullopt);
}

// [Liu99] Table 1: the weights of the joints as tree joints.
TEST(JointTable, HasTheWeightsOfTheLiterature) {
  EXPECT_EQ(joint_kind(JointType::kRevolute).freedom, 1);
  EXPECT_EQ(joint_kind(JointType::kPrismatic).freedom, 1);
  EXPECT_EQ(joint_kind(JointType::kUniversal).freedom, 2);
  EXPECT_EQ(joint_kind(JointType::kCylindrical).freedom, 2);
  EXPECT_EQ(joint_kind(JointType::kSpherical).freedom, 3);
}

// What a joint moves in and what it holds are all six directions, each once; the screw and the universal joint hold one
// that is none of the six.
TEST(JointTable, MotionsAndRowsAreAllDirections) {
  for (const JointKind& kind : joint_kinds()) {
    const JointRow& row = joint_row(kind.type);
    std::array<int, 6> seen{};
    for (const CoordinateMotion& motion : row.motions) ++seen[to_index(static_cast<int>(motion.direction))];
    int others = 0;
    for (const Direction direction : row.rows) {
      if (direction >= Direction::kAboutNormal) {
        ++others;
      } else {
        ++seen[to_index(static_cast<int>(direction))];
      }
    }
    const bool special = kind.type == JointType::kScrew || kind.type == JointType::kUniversal;
    EXPECT_EQ(others, special ? 1 : 0) << kind.name;
    for (const int times : seen) EXPECT_LE(times, 1) << kind.name;
    EXPECT_EQ(row.slides, kind.type == JointType::kPrismatic || kind.type == JointType::kScrew ||
                              kind.type == JointType::kCylindrical || kind.type == JointType::kPlanar ||
                              kind.type == JointType::kFree)
        << kind.name;
  }
}

std::vector<double> some_position(JointType type, Random& random) {
  const JointRow& row = joint_row(type);
  std::vector<double> q(to_index(row.kind.position_size));
  for (double& x : q) x = random.uniform(-1.5, 1.5);
  if (row.quaternion < 0) return q;
  const auto at = to_index(row.quaternion);
  const Quaterniond unit = math::canonical(Quaterniond(q[at], q[at + 1], q[at + 2], q[at + 3]).normalized());
  q[at] = unit.w(), q[at + 1] = unit.x(), q[at + 2] = unit.y(), q[at + 3] = unit.z();
  return q;
}

std::vector<double> some_velocity(JointType type, Random& random) {
  std::vector<double> v(to_index(joint_kind(type).freedom));
  for (double& x : v) x = random.uniform(-1, 1);
  return v;
}

std::vector<double> moved(std::vector<double> q, const std::vector<double>& rate, double step) {
  for (std::size_t k = 0; k < q.size(); ++k) q[k] += step * rate[k];
  return q;
}

// The angular velocity in the axes of M, by central differences of the pose.
TEST(PositionRate, OfABallTurnsAtTheGivenVelocityInTheTurningFrame) {
  Random random(5);
  for (int k = 0; k < 20; ++k) {
    const std::vector<double> q = some_position(JointType::kSpherical, random);
    const std::vector<double> v = some_velocity(JointType::kSpherical, random);
    std::vector<double> rate(4);
    position_rate(JointType::kSpherical, q, v, rate);
    const double step = 1e-5;
    const Quaterniond before = joint_pose(JointType::kSpherical, 0, moved(q, rate, -step)).rotation.normalized();
    const Quaterniond after = joint_pose(JointType::kSpherical, 0, moved(q, rate, step)).rotation.normalized();
    const Vector3d turned = math::rotation_log(before.conjugate() * after) / (2 * step);
    EXPECT_LT((turned - Vector3d(v[0], v[1], v[2])).norm(), 1e-8);
    EXPECT_NEAR(q[0] * rate[0] + q[1] * rate[1] + q[2] * rate[2] + q[3] * rate[3], 0, 1e-15) << "the length stays";
  }
}

TEST(PositionRate, WithoutAQuaternionIsTheVelocity) {
  std::vector<double> rate(3);
  position_rate(JointType::kPlanar, std::vector<double>{1, 2, 3}, std::vector<double>{4, -5, 6}, rate);
  EXPECT_EQ(rate, (std::vector<double>{4, -5, 6}));
}

// The pose seen from the other body is the inverse, between frames that are turned by exchange_turn().
TEST(ExchangeCoordinates, GivesTheInversePose) {
  Random random(6);
  for (const JointKind& kind : joint_kinds()) {
    const math::Pose turn{Vector3d::Zero(), exchange_turn(kind.type)};
    for (int k = 0; k < 10; ++k) {
      std::vector<double> q = some_position(kind.type, random), v = some_velocity(kind.type, random);
      const math::Pose here = joint_pose(kind.type, kPitch, q);
      exchange_coordinates(kind.type, q, v);
      const math::Pose expected = turn.inverse() * here.inverse() * turn;
      const math::PoseGap gap = math::gap_between(joint_pose(kind.type, kPitch, q), expected);
      EXPECT_LT(gap.distance, 1e-14) << kind.name;
      EXPECT_LT(gap.angle, 1e-7) << kind.name;
    }
  }
}

// The rate of the exchanged position is the exchanged velocity, by central differences.
TEST(ExchangeCoordinates, GivesTheVelocityOfTheExchangedPosition) {
  Random random(7);
  for (const JointKind& kind : joint_kinds()) {
    const std::vector<double> q = some_position(kind.type, random), v = some_velocity(kind.type, random);
    std::vector<double> rate(q.size());
    position_rate(kind.type, q, v, rate);
    const double step = 1e-6;
    std::vector<double> before = moved(q, rate, -step), after = moved(q, rate, step), here = q, unused = v, seen = v;
    exchange_coordinates(kind.type, before, unused);
    unused = v;
    exchange_coordinates(kind.type, after, unused);
    exchange_coordinates(kind.type, here, seen);
    std::vector<double> expected(q.size());
    position_rate(kind.type, here, seen, expected);
    for (std::size_t k = 0; k < q.size(); ++k) {
      EXPECT_NEAR((after[k] - before[k]) / (2 * step), expected[k], 1e-8) << kind.name << " " << k;
    }
  }
}

TEST(ExchangeCoordinates, IsItsOwnInverse) {
  Random random(8);
  for (const JointKind& kind : joint_kinds()) {
    const std::vector<double> q = some_position(kind.type, random), v = some_velocity(kind.type, random);
    std::vector<double> q2 = q, v2 = v;
    exchange_coordinates(kind.type, q2, v2);
    exchange_coordinates(kind.type, q2, v2);
    for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(q2[k], q[k], 1e-14) << kind.name;
    for (std::size_t k = 0; k < v.size(); ++k) EXPECT_NEAR(v2[k], v[k], 1e-14) << kind.name;
  }
}

// Where a coordinate keeps its value it is found again at that place.
TEST(ExchangedCoordinate, IsWhereTheValueGoes) {
  Random random(9);
  for (const JointKind& kind : joint_kinds()) {
    const std::vector<double> q = some_position(kind.type, random);
    std::vector<double> seen = q, v = some_velocity(kind.type, random);
    exchange_coordinates(kind.type, seen, v);
    for (int k = 0; k < kind.freedom; ++k) {
      const int there = exchanged_coordinate(kind.type, k);
      if (there >= 0) {
        EXPECT_EQ(seen[to_index(there)], q[to_index(k)]) << kind.name;
      }
    }
  }
  EXPECT_EQ(exchanged_coordinate(JointType::kUniversal, 0), 1);
  EXPECT_EQ(exchanged_coordinate(JointType::kCylindrical, 0), 0);
  EXPECT_EQ(exchanged_coordinate(JointType::kPlanar, 0), -1);
}

TEST(LosesTurns, OfAnglesThatNothingElseTells) {
  EXPECT_TRUE(loses_turns(JointType::kRevolute, 0));
  EXPECT_FALSE(loses_turns(JointType::kScrew, 0));
  EXPECT_FALSE(loses_turns(JointType::kCylindrical, 0));
  EXPECT_TRUE(loses_turns(JointType::kCylindrical, 1));
  EXPECT_FALSE(loses_turns(JointType::kSpherical, 0));
}

}  // namespace
}  // namespace espalier::model
