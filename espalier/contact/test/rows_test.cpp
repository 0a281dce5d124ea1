#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/contact/test/stack.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Ball 1 on the ground, ball 2 on it: constraints (1, 0) and (1, 2).
struct TwoBalls : Trial {
  explicit TwoBalls(Settings settings = {}) : Trial(ball_stack(2), settings) {
    prepared = prepare_step(comm, domain);
    EXPECT_EQ(domain.constraints.size(), 2u);
  }
  LocalProblem problem() const {
    return assemble(domain, prepared.adjacency, prepared.deformation_inverse, prepared.rows);
  }
  // Rows stand by colour: where that of constraint c is.
  std::size_t row(std::size_t c) const { return to_index(prepared.rows.place[c]); }
  Prepared prepared;
};

TEST(Adjacency, ListsTheConstraintsOfWhatMoves) {
  const TwoBalls run;
  EXPECT_EQ(run.prepared.adjacency.begin, (std::vector<int>{0, 0, 2, 3}));
  EXPECT_EQ(run.prepared.adjacency.of, (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(run.prepared.adjacency.master, (std::vector<int>{1, 1}));
  EXPECT_EQ(run.prepared.adjacency.slave, (std::vector<int>{0, 2}));
}

TEST(RowOrder, IsByColourAndOwnRowsFirst) {
  TwoBalls run;
  EXPECT_EQ(make_row_order(run.domain, {1, 0}).constraint, (std::vector<int>{1, 0}));
  EXPECT_EQ(make_row_order(run.domain, {1, 0}).place, (std::vector<int>{1, 0}));
  EXPECT_EQ(make_row_order(run.domain, {0, 0}).constraint, (std::vector<int>{0, 1}));
  run.domain.internal = {0, 1};
  const RowOrder rows = make_row_order(run.domain, {0, 1});
  EXPECT_EQ(rows.constraint, (std::vector<int>{1, 0}));
  EXPECT_EQ(rows.internal, 1);
}

// By hand: 1/m along a normal, 1/m + r^2/J = 3.5/m across it. Normals point out of the slave: up at the ground, down
// between the balls, so that what pushes ball 1 up at one pushes it down at the other.
TEST(Assemble, IsTheInverseMassSeenByTheRows) {
  TwoBalls run;
  const LocalProblem problem = run.problem();
  EXPECT_EQ(problem.begin, (std::vector<int>{0, 2, 4}));
  // In every row first the block with constraint 0, then that with constraint 1: the order of keys.
  const auto block = [&](std::size_t c, std::size_t d) {
    const std::size_t place = to_index(problem.begin[run.row(c)]) + d;
    EXPECT_EQ(problem.column[place], run.prepared.rows.place[d]);
    EXPECT_EQ(c == d, problem.diagonal[run.row(c)] == static_cast<int>(place));
    return problem.block[place];
  };
  const auto expected = [](double across, double along) {
    Matrix3d W = Matrix3d::Zero();
    W.diagonal() = Vector3d(across, across, along) / kBallMass;
    return W;
  };
  const double near = 1e-3 / kBallMass;  // the overlap shortens the arm by a ten thousandth
  EXPECT_LT((block(0, 0) - expected(3.5, 1)).norm(), near);
  EXPECT_LT((block(1, 1) - expected(7, 2)).norm(), 2 * near);
  EXPECT_NEAR(block(0, 1)(2, 2), -1 / kBallMass, near);
  EXPECT_LT((block(0, 1) - block(1, 0).transpose()).norm(), 1e-15);
}

// Both fall with g h: the lower one against the ground, the two not against each other.
TEST(MakeLaws, BIsTheVelocityThatNoImpulseHasChanged) {
  const TwoBalls run;
  const Laws& laws = run.prepared.laws;
  EXPECT_NEAR(laws.B[run.row(0)].z(), -10 * Settings().step, 1e-15);
  EXPECT_NEAR(laws.B[run.row(1)].norm(), 0, 1e-15);
  // Overlaps are taken back by displacement: they ask for no velocity.
  EXPECT_EQ(laws.rows[run.row(0)].bias.z(), 0);
}

TEST(RelativeVelocity, IsThatOfTheMasterAgainstTheSlave) {
  TwoBalls run;
  const Body &master = run.domain.bodies[1].body, &slave = run.domain.bodies[2].body;
  std::array<double, 12> rising{}, still{};
  rising[2] = 3;
  const Constraint& between = run.domain.constraints[1];
  EXPECT_NEAR(relative_velocity(between, master, slave, rising, still).z(), -3, 1e-12);
  EXPECT_NEAR(relative_velocity(between, master, slave, still, rising).z(), 3, 1e-12);
  // Rolling on each other: both turn about x, and the surfaces move against each other.
  std::array<double, 12> turning{};
  turning[3] = 2;
  EXPECT_NEAR(relative_velocity(between, master, slave, turning, turning).norm(), 2, 1e-3);
}

}  // namespace
}  // namespace espalier::contact::detail
