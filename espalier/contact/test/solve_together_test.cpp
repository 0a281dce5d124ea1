#include <algorithm>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/contact/test/stack.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;

// Eight balls on each other, on which Gauss-Seidel converges slowly: the ground carries all of them.
struct Tower : Trial {
  explicit Tower(const Settings& settings) : Trial(ball_stack(8, 0), settings) {
    prepared = prepare_step(comm, domain);
    R.assign(prepared.rows.constraint.size(), Vector3d::Zero());
    solved = solve_together(comm, domain, prepared, R);
  }
  // Impulse of constraint c along its normal.
  double push(int c) const { return R[to_index(prepared.rows.place[to_index(c)])].z(); }

  Prepared prepared;
  std::vector<Vector3d> R;
  Solved solved;
};

Settings tower_settings(Solver solver, int max_sweeps) {
  Settings settings = fine_settings(1e-3, 1e-12);
  settings.solve.solver = solver;
  settings.solve.max_sweeps = max_sweeps;
  return settings;
}

void expect_weights(const Tower& tower) {
  const double weight = kBallMass * 10 * 1e-3;
  // Constraint 0 is that of the lowest ball with the ground, constraint k that of ball k with the next.
  for (int k = 0; k < 8; ++k) EXPECT_NEAR(tower.push(k), (8 - k) * weight, 1e-8) << k;
}

TEST(SolveTogether, EveryBallCarriesThoseAboveIt) {
  const Tower tower(tower_settings(Solver::kGaussSeidel, 5000));
  EXPECT_TRUE(tower.solved.converged);
  EXPECT_EQ(tower.solved.iterations, 0);
  expect_weights(tower);
}

TEST(SolveTogether, NewtonTakesOverWhereIterationsEnd) {
  const Tower tower(tower_settings(Solver::kAuto, 3));
  EXPECT_TRUE(tower.solved.converged);
  EXPECT_EQ(tower.solved.sweeps, 3);
  EXPECT_GT(tower.solved.iterations, 0);
  expect_weights(tower);
  EXPECT_FALSE(Tower(tower_settings(Solver::kGaussSeidel, 3)).solved.converged);
}

// In a run Gauss-Seidel goes on until max_sweeps before Newton's method, where solve() stops it after twenty.
TEST(SolveTogether, OfARunNewtonComesOnlyAfterMaxSweeps) {
  const Tower tower(tower_settings(Solver::kNewton, 40));
  EXPECT_GT(tower.solved.sweeps, 20);
  EXPECT_EQ(tower.solved.iterations, 0);
  expect_weights(tower);
}

// The rows body by body give what the assembled W gives.
TEST(SolveTogether, IsWhatOneRankAloneWouldHaveAssembled) {
  const Settings settings = tower_settings(Solver::kGaussSeidel, 5000);
  Tower tower(settings);
  const LocalProblem problem =
      assemble(tower.domain, tower.prepared.adjacency, tower.prepared.deformation_inverse, tower.prepared.rows);
  std::vector<Vector3d> R(problem.rows.size(), Vector3d::Zero());
  const Solved alone = solve(problem, order_by_colour(colour_rows(problem)), settings.solve, R);
  EXPECT_TRUE(alone.converged);
  for (std::size_t i = 0; i < R.size(); ++i) EXPECT_LT((R[i] - tower.R[i]).norm(), 1e-8) << i;
  std::fill(R.begin(), R.end(), Vector3d::Zero());
  SolveOptions newton = settings.solve;
  newton.solver = Solver::kNewton;
  EXPECT_EQ(solve(problem, order_by_colour(colour_rows(problem)), newton, R).sweeps, 20);
}

}  // namespace
}  // namespace espalier::contact::detail
