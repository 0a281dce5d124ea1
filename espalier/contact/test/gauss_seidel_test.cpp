#include "espalier/contact/detail/gauss_seidel.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/contact/test/chain.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;
using Impulses = std::vector<Vector3d>;

TEST(GaussSeidel, AColourSolvedInPartsGivesTheSameBits) {
  const LocalProblem problem = make_chain(40, 0.3);
  const ColourOrder order = colours_of(problem);
  Impulses whole(40, Vector3d::Zero()), parts = whole;
  AccuracySums of_whole, first, second;
  BlockRows blocks(problem);
  for (int iteration = 0; iteration < 5; ++iteration) {
    for (int c = 0; c < order.colours(); ++c) {
      const auto rows = order.of(c);
      solve_rows(blocks, rows, whole, &of_whole);
      solve_rows(blocks, rows.subspan(7), parts, &first);
      solve_rows(blocks, rows.first(7), parts, &second);
    }
  }
  EXPECT_EQ(whole, parts);
  measure_rows(problem, order.of(0), parts, first);
  measure_rows(problem, order.of(1), parts, second);
  first.left.add(second.left);
  first.given.add(second.given);
  first.change.add(second.change);
  first.size.add(second.size);
  EXPECT_EQ(accuracy_of(first).natural, measure(problem, whole).natural);
  EXPECT_EQ(accuracy_of(first).change, accuracy_of(of_whole).change);
}

// One row is solved exactly, so that one iteration is enough and nothing is left.
TEST(GaussSeidel, OneContactTakesOneIteration) {
  const LocalProblem problem = make_chain(1, 0.3);
  Impulses R(1, Vector3d::Zero());
  BlockRows rows(problem);
  const Solved solved = iterate(rows, colours_of(problem), {.tolerance = 1e-12}, 100, R);
  EXPECT_TRUE(solved.converged);
  EXPECT_EQ(solved.sweeps, 1);
}

// Two balls in a row between walls, no friction: U = B + W R = 0 with W = [[2, -1], [-1, 2]] and B = (-1, -1) gives
// R = (1, 1). Iterations alternate, and the error falls by 1/4 with each.
TEST(GaussSeidel, TheErrorOfTwoCoupledContactsFallsToAQuarterPerIteration) {
  LocalProblem problem = make_chain(2, 0);
  for (Vector3d& B : problem.B) B = {0, 0, -1};
  Impulses R(2, Vector3d::Zero());
  BlockRows rows(problem);
  const SolveOptions options = {.tolerance = 0, .check_every = 1, .extrapolate = false};
  for (int iterations = 1; iterations < 6; ++iterations) {
    R.assign(2, Vector3d::Zero());
    EXPECT_EQ(iterate(rows, colours_of(problem), options, iterations, R).sweeps, iterations);
    EXPECT_NEAR(1 - R[1].z(), std::pow(0.25, iterations), 1e-15);
  }
}

TEST(GaussSeidel, ColoursWithoutARowHereAreEmpty) {
  const std::vector<int> colour = {2, 0, 2};
  const ColourOrder order = order_by_colour(colour, 4);
  EXPECT_EQ(order.begin, (std::vector<int>{0, 1, 1, 3, 3}));
  EXPECT_EQ(order.rows, (std::vector<int>{1, 0, 2}));
}

TEST(Forecast, GivesUpWhereTheRateIsTooSlow) {
  Forecast slow = {.tolerance = 1e-8, .max_sweeps = 1000}, fast = slow;
  bool slow_gives_up = false, fast_gives_up = false;
  for (int sweeps = 5; sweeps <= 200; sweeps += 5) {
    slow_gives_up |= is_too_slow(slow, sweeps, std::exp(-0.01 * sweeps));
    fast_gives_up |= is_too_slow(fast, sweeps, std::exp(-0.05 * sweeps));
  }
  EXPECT_TRUE(slow_gives_up);
  EXPECT_FALSE(fast_gives_up);
}

}  // namespace
}  // namespace espalier::contact::detail
