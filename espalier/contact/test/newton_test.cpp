#include "espalier/contact/detail/newton.hpp"

#include <array>

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

// Two contacts, W = A A^T / 2. By each of these the path turns back once: Newton's method at smaller and smaller
// smoothing ends there.
struct Folded {
  std::array<double, 30> A;  // by rows
  Vector3d first, second;    // B
};
LocalProblem with_fold(const Folded& folded) {
  const Eigen::Map<const Eigen::Matrix<double, 6, 5, Eigen::RowMajor>> A(folded.A.data());
  const Eigen::Matrix<double, 6, 6> W = 0.5 * A * A.transpose();
  LocalProblem problem;
  problem.B = {folded.first, folded.second};
  for (int i = 0; i < 2; ++i) {
    problem.rows.push_back({.friction = 1});
    problem.diagonal.push_back(3 * i);
    for (int j = 0; j < 2; ++j) {
      problem.column.push_back(j);
      problem.block.emplace_back(W.block<3, 3>(3 * i, 3 * j));
    }
    problem.begin.push_back(2 * i + 2);
  }
  return problem;
}

TEST(Newton, GoesAroundFoldsOfItsPath) {
  // Gauss-Seidel solves the first and the last by a few iterations, the second not by 1000.
  const std::array<Folded, 3> all = {{{{-1,  1.5, -1,   -0.5, -1.5, -1.5, -0.5, -1.5, 1.5, -1,  //
                                        0.5, 0.5, -0.5, -0.5, -0.5, -1,   1,    0,    1,   1,   //
                                        0.5, 2,   2,    0,    -1.5, 1,    1.5,  -1.5, 2,   1.5},
                                       {1.5, -1.5, 0},
                                       {1.5, 0, -1}},
                                      {{1,  2, 2,    0.5, -1.5, -1,   -1.5, -1.5, -2, 0,    //
                                        2,  0, -0.5, -1,  1,    1.5,  -1.5, 1,    -2, 1.5,  //
                                        -2, 2, -2,   -1,  2,    -1.5, -1,   -1,   0,  1.5},
                                       {1.5, -0.5, -1},
                                       {2, -2, -1}},
                                      {{-1.5, -1, -1.5, -1.5, 0.5, 1.5, 0.5, -1, 1.5,  -0.5,  //
                                        1,    1,  -1,   0.5,  0,   -2,  0,   1,  -1.5, 1,     //
                                        2,    1,  -1.5, -2,   0,   -2,  0,   1,  2,    0.5},
                                       {1.5, -1.5, -2},
                                       {0, -1, -1.5}}}};
  for (const Folded& folded : all) {
    const LocalProblem problem = with_fold(folded);
    Impulses R(2, Vector3d::Zero());
    const NewtonResult result = solve_newton(problem, {}, R);
    EXPECT_TRUE(result.converged);
    EXPECT_GE(result.folds, 1);
    EXPECT_LT(result.iterations, 100);
    EXPECT_LE(measure(problem, R).natural, 1e-6);
  }
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
