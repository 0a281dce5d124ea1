#include <algorithm>

#include <gtest/gtest.h>

#include "espalier/contact/detail/gauss_seidel.hpp"
#include "espalier/contact/test/chain.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;
using Impulses = std::vector<Vector3d>;

// Each turn leaves the residual it is told as the only impulse, so that the answer says which one it is.
struct Script {
  std::vector<double> residuals;  // of sweeps and of Newton's method by turns
  Impulses R = {Vector3d::Zero()};
  std::size_t next = 0;
  std::vector<NewtonOptions> newton = {};
  std::vector<SolveOptions> sweeps = {};

  double play() {
    const double residual = residuals[std::min(next++, residuals.size() - 1)];
    R[0].x() = residual;
    return residual;
  }
  Solved solve(const SolveOptions& options) {
    return solve_by_turns(
        options, R,
        [&](const SolveOptions& turn) {
          sweeps.push_back(turn);
          const double residual = play();
          return Solved{residual <= turn.tolerance, 10, 0, {.natural = residual}};
        },
        [&](const NewtonOptions& turn) {
          newton.push_back(turn);
          const double residual = play();
          return NewtonResult{residual <= turn.tolerance, turn.max_iterations, 0, {.natural = residual}};
        });
  }
};

TEST(SolveByTurns, NeedsNoTurnWhereSweepsConverge) {
  Script script{{1e-7}};
  EXPECT_TRUE(script.solve({}).converged);
  EXPECT_TRUE(script.newton.empty());
}

TEST(SolveByTurns, GoesOnUntilOneOfBothConverges) {
  Script script{{1e-2, 1e-3, 2e-3, 1e-4, 1e-7}};
  const Solved solved = script.solve({.max_sweeps = 40, .max_iterations = 2000});
  EXPECT_TRUE(solved.converged);
  EXPECT_EQ(solved.sweeps, 30);
  EXPECT_EQ(solved.iterations, 2 * kIterationsPerTurn);
  EXPECT_EQ(solved.accuracy.natural, 1e-7);
  EXPECT_EQ(script.R[0].x(), 1e-7);
  // Another way each time, and never more sweeps in a row than are allowed.
  EXPECT_NE(script.newton[0].start, script.newton[1].start);
  for (const SolveOptions& turn : script.sweeps) EXPECT_EQ(turn.max_sweeps, 40);
  EXPECT_TRUE(script.sweeps[0].extrapolate);
  EXPECT_FALSE(script.sweeps[1].extrapolate);
}

TEST(SolveByTurns, GivesBackTheBestWhereAllIsInVain) {
  Script script{{1e-2, 1e-3, 1e-5, 1e-3}};
  const Solved solved = script.solve({.max_iterations = 2000});
  EXPECT_FALSE(solved.converged);
  EXPECT_EQ(solved.accuracy.natural, 1e-5);
  EXPECT_EQ(script.R[0].x(), 1e-5);
  EXPECT_EQ(script.newton.size(), 4u);
}

TEST(SolveByTurns, StopsAtTheAllowedIterations) {
  Script script{{1e-2}};
  EXPECT_EQ(script.solve({.max_iterations = 700}).iterations, 700);
  EXPECT_EQ(script.newton.back().max_iterations, 700 - kIterationsPerTurn);
}

// Paths differ in how they go, not in where they end: on a chain there is one answer.
TEST(SolveByTurns, EveryPathHasTheSameAnswer) {
  const LocalProblem problem = make_chain(12, 0.3);
  Impulses swept(12, Vector3d::Zero());
  ASSERT_TRUE(
      solve(problem, colours_of(problem), {.solver = Solver::kGaussSeidel, .tolerance = 1e-12}, swept).converged);
  for (int turn = 0; turn < 3; ++turn) {
    Impulses R(12, Vector3d::Zero());
    NewtonOptions options = newton_in_turn({.tolerance = 1e-11}, turn, 0);
    options.max_iterations = 200;
    EXPECT_TRUE(solve_newton(problem, options, R).converged) << turn;
    for (std::size_t i = 0; i < R.size(); ++i) EXPECT_LT((R[i] - swept[i]).norm(), 1e-8) << turn;
  }
}

}  // namespace
}  // namespace espalier::contact::detail
