#include "espalier/contact/local_problem.hpp"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace espalier::contact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

TEST(ProjectOnCone, LeavesThePointsOfTheConeAndTakesThePolarConeToTheTip) {
  EXPECT_EQ(project_on_cone({0.3, 0.4, 1}, 0.5), Vector3d(0.3, 0.4, 1));
  EXPECT_EQ(project_on_cone({0.3, 0.4, -1}, 0.5), Vector3d::Zero());
  // On the rim in the plane of (0.6, 0.8) and n: the foot of the perpendicular from (1, 0) to the line (mu, 1).
  EXPECT_LT((project_on_cone({0.6, 0.8, 0}, 1) - Vector3d(0.3, 0.4, 0.5)).norm(), 1e-15);
  EXPECT_EQ(project_on_cone({3, 4, 2}, 0), Vector3d(0, 0, 2));
}

Vector3d left(const Row& row, const Vector3d& U, const Vector3d& R, double step = 0) {
  return law_residual(row, U, R, step);
}

TEST(LawResidual, OfAContactVanishesWherePartedStuckAndSliding) {
  const Row contact{.friction = 0.5};
  EXPECT_EQ(left(contact, {1, 2, 3}, {0, 0, 0}).norm(), 0);
  EXPECT_EQ(left(contact, {0, 0, 0}, {0.3, 0.4, 1}).norm(), 0);
  EXPECT_LT(left(contact, {2, 0, 0}, {-0.5, 0, 1}).norm(), 1e-15);
  // Friction that helps the sliding, and a push where it parts.
  EXPECT_GT(left(contact, {2, 0, 0}, {0.5, 0, 1}).norm(), 0.1);
  EXPECT_GT(left(contact, {0, 0, 1}, {0, 0, 1}).norm(), 0.1);
  // The bias moves the velocity at which it begins to push.
  const Row bouncing{.friction = 0, .bias = {0, 0, -0.5}};
  EXPECT_EQ(left(bouncing, {0, 0, 0.5}, {0, 0, 1}).norm(), 0);
}

TEST(LawResidual, OfAPointIsTheVelocityOfWhatIsHeldAndTheImpulseOfTheRest) {
  const Row point{.law = Law::kPoint, .bias = {0.25, 9, -1}, .held = {true, false, true}};
  EXPECT_EQ(left(point, {1, 2, 3}, {4, 5, 6}), Vector3d(1.25, 5, 2));
  const Row direction{.law = Law::kDirection, .bias = {0, 0, 0.5}};
  EXPECT_EQ(left(direction, {1, 2, 3}, {4, 5, 6}), Vector3d(4, 5, 3.5));
}

// In half a step of 0.1 s the way of 2 m grows by 0.2 m at 4 m/s: the length is missed by 4 m/s.
TEST(LawResidual, OfALinkIsTheVelocityByWhichItsLengthIsMissed) {
  const Row link{.law = Law::kLink, .z = {0, 0, 2}, .length = 2};
  EXPECT_NEAR(left(link, {0, 0, 4}, Vector3d::Zero(), 0.1).z(), 4, 1e-12);
  EXPECT_NEAR(left(link, {0, 0, -80}, Vector3d::Zero(), 0.1).z(), 0, 1e-12);
}

TEST(LawResidual, OfASpringVanishesWhileItMovesBrakesAndStops) {
  Row spring{.law = Law::kSpring, .impulse = 3, .damping = 2};
  EXPECT_EQ(left(spring, {0, 0, 0.5}, {0, 0, 2}).norm(), 0);
  // The brake adds any impulse up to 1 at rest, all of it against the motion.
  spring.friction = 1;
  EXPECT_EQ(left(spring, {0, 0, 0}, {0, 0, 3.75}).norm(), 0);
  EXPECT_EQ(left(spring, {0, 0, 0}, {0, 0, 4.5}).z(), 0.5);
  EXPECT_EQ(left(spring, {0, 0, 0.5}, {0, 0, 1}).norm(), 0);
  // A stop pushes, and never pulls.
  spring = {.law = Law::kSpring, .stops = {0, 1}};
  EXPECT_EQ(left(spring, {0, 0, 0}, {0, 0, 7}).norm(), 0);
  EXPECT_NE(left(spring, {0, 0, 0}, {0, 0, -7}).norm(), 0);
  EXPECT_EQ(left(spring, {0, 0, 1}, {0, 0, -7}).norm(), 0);
}

// Two rows; the second has a block with the first alone.
LocalProblem two_rows() {
  LocalProblem problem;
  problem.rows = {{.friction = 0}, {.friction = 0}};
  problem.B = {{0, 0, -1}, {1, 2, 3}};
  Matrix3d mixed;
  mixed << 1, 2, 3, 4, 5, 6, 7, 8, 9;
  problem.begin = {0, 1, 3};
  problem.column = {0, 0, 1};
  problem.block = {2 * Matrix3d::Identity(), mixed, Matrix3d::Identity()};
  problem.diagonal = {0, 2};
  return problem;
}

TEST(VelocityOf, IsTheBlockRowTimesTheImpulses) {
  const std::vector<Vector3d> R = {{1, 2, -1}, {0.5, 0, 0}};
  EXPECT_EQ(velocity_of(two_rows(), 0, R), Vector3d(2, 4, -3));
  EXPECT_EQ(velocity_of(two_rows(), 1, R), Vector3d(2 + 0.5 + 1, 8 + 2, 14 + 3));
}

// One row that approaches at 1 m/s with W = 2: nothing done is all that is given, and half a newton second solves it.
TEST(Measure, IsWhatIsLeftAgainstWhatIsGiven) {
  LocalProblem problem = two_rows();
  problem.rows.resize(1);
  problem.B.resize(1);
  problem.begin = {0, 1};
  const Accuracy before = measure(problem, std::array{Vector3d(0, 0, 0)});
  EXPECT_DOUBLE_EQ(before.natural, 1);
  EXPECT_DOUBLE_EQ(before.energy, 1);
  EXPECT_EQ(measure(problem, std::array{Vector3d(0, 0, 0.5)}).natural, 0);
  const Accuracy half = measure(problem, std::array{Vector3d(0, 0, 0.25)});
  EXPECT_DOUBLE_EQ(half.natural, 0.5);
  EXPECT_DOUBLE_EQ(half.energy, 0.25);
}

}  // namespace
}  // namespace espalier::contact
