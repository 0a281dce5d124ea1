#include "espalier/contact/detail/newton.hpp"

#include <gtest/gtest.h>

#include "espalier/contact/test/chain.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;
using Impulses = std::vector<Vector3d>;

TEST(Newton, SolvesBilateralRowsAsGaussSeidelDoes) {
  LocalProblem problem = make_chain(12, 0.3);
  problem.step = 1e-2;
  const Law laws[] = {Law::kPoint, Law::kContact, Law::kDirection, Law::kLink, Law::kSpring, Law::kContact};
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    Row& row = problem.rows[i];
    row.law = laws[i % 6];
    row.bias.z() = 0.1;
    row.z = {0, 0, 1};
    row.length = 1.0005;
    row.impulse = 0.3;
    row.damping = 0.5;
    row.stops = {-0.05, 0.05};
    if (i == 5) row.friction = 0;
  }
  Impulses swept(12, Vector3d::Zero()), newton = swept;
  EXPECT_TRUE(
      solve(problem, colours_of(problem), {.solver = Solver::kGaussSeidel, .tolerance = 1e-12}, swept).converged);
  EXPECT_TRUE(solve_newton(problem, {.tolerance = 1e-11}, newton).converged);
  for (std::size_t i = 0; i < swept.size(); ++i) EXPECT_LT((newton[i] - swept[i]).norm(), 1e-8) << i;
}

// A ball of unit mass that slides towards a wall: W = diag(w_t, w_t, w_n), B = (-1, 0, -1). The wall stops it,
// R_N = 1 / w_n, and friction acts with mu R_N where that does not stop the sliding.
TEST(Newton, OneContactSlidesOnTheRimOfTheCone) {
  LocalProblem problem = make_chain(1, 0.3);
  problem.B[0] = {-9, 0, -1};
  const double w_n = problem.block[0](2, 2);
  Impulses R(1, Vector3d::Zero());
  EXPECT_TRUE(solve_newton(problem, {.tolerance = 1e-12}, R).converged);
  EXPECT_LT((R[0] - Vector3d(0.3 / w_n, 0, 1 / w_n)).norm(), 1e-11);
}

TEST(Newton, GivesBackTheBestItMetWhereItRunsOutOfIterations) {
  const LocalProblem problem = make_chain(30, 0.3);
  Impulses R(30, Vector3d::Zero());
  const double before = measure(problem, R).natural;
  const NewtonResult result = solve_newton(problem, {.tolerance = 1e-14, .max_iterations = 2}, R);
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, 2);
  EXPECT_EQ(measure(problem, R).natural, result.accuracy.natural);
  EXPECT_LE(result.accuracy.natural, before);
}

}  // namespace
}  // namespace espalier::contact::detail
