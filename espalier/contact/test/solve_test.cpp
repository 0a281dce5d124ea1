#include "espalier/contact/solve.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

#include <gtest/gtest.h>

#include "espalier/contact/friction_file.hpp"
#include "espalier/contact/test/chain.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::contact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Impulses = std::vector<Vector3d>;

TEST(ColourRows, NeighboursDifferAndRowsStandInOrder) {
  const LocalProblem problem = make_chain(7, 0.3);
  EXPECT_EQ(colour_rows(problem), (std::vector<int>{0, 1, 0, 1, 0, 1, 0}));
  const ColourOrder order = colours_of(problem);
  ASSERT_EQ(order.colours(), 2);
  EXPECT_EQ(order.rows, (std::vector<int>{0, 2, 4, 6, 1, 3, 5}));
}

TEST(Measure, FollowsItsDefinitionOnOneContact) {
  LocalProblem problem = make_chain(1, 0.5);
  problem.B[0] = {3, 4, -2};
  const Impulses R = {{0, 0, 1}};
  // U = (3, 4, 0), F = (3, 4, 2.5), R - F = (-3, -4, -1.5): rim of the cone at (-1.5 + 2.5) / 1.25 = 0.8.
  const Vector3d C = Vector3d(0, 0, 1) - Vector3d(-0.24, -0.32, 0.8);
  const Accuracy accuracy = measure(problem, R);
  EXPECT_NEAR(accuracy.natural, C.norm() / std::sqrt(29.0), 1e-15);
  const Vector3d inverse(1 / 7.0, 1 / 7.0, 1 / 2.0);
  EXPECT_NEAR(accuracy.energy, C.cwiseAbs2().dot(inverse) / problem.B[0].cwiseAbs2().dot(inverse), 1e-15);
}

TEST(Solve, AllSolversAgreeOnAChain) {
  const LocalProblem problem = make_chain(25, 0.3);
  const ColourOrder order = colours_of(problem);
  Impulses plain(25, Vector3d::Zero()), faster = plain, newton = plain;
  const Solved slow =
      solve(problem, order,
            {.solver = Solver::kGaussSeidel, .tolerance = 1e-12, .max_sweeps = 20000, .extrapolate = false}, plain);
  const Solved fast = solve(problem, order, {.solver = Solver::kGaussSeidel, .tolerance = 1e-12}, faster);
  EXPECT_TRUE(slow.converged);
  EXPECT_TRUE(fast.converged);
  EXPECT_LT(fast.sweeps, slow.sweeps);
  EXPECT_TRUE(solve(problem, order, {.solver = Solver::kNewton, .tolerance = 1e-12}, newton).converged);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_LT((faster[i] - plain[i]).norm(), 1e-10);
    EXPECT_LT((newton[i] - plain[i]).norm(), 1e-10);
  }
}

TEST(Solve, ColumnsBeyondTheRowsAreGivenAndStay) {
  // The first half of a chain with the answer of the second half given has the answer of the whole.
  const LocalProblem whole = make_chain(20, 0.3);
  Impulses R(20, Vector3d::Zero());
  ASSERT_TRUE(solve(whole, colours_of(whole), {.tolerance = 1e-13}, R).converged);
  LocalProblem half = whole;
  half.rows.resize(10);
  half.B.resize(10);
  half.begin.resize(11);
  half.diagonal.resize(10);
  for (const Solver solver : {Solver::kGaussSeidel, Solver::kNewton}) {
    Impulses part = R;
    std::fill_n(part.begin(), 10, Vector3d::Zero());
    EXPECT_TRUE(solve(half, colours_of(half), {.solver = solver, .tolerance = 1e-12}, part).converged);
    for (std::size_t i = 0; i < 10; ++i) EXPECT_LT((part[i] - R[i]).norm(), 1e-10);
    EXPECT_TRUE(std::equal(part.begin() + 10, part.end(), R.begin() + 10));
  }
}

TEST(Solve, SaysWhereItDidNotConverge) {
  const LocalProblem problem = make_chain(200, 0.3);
  Impulses R(200, Vector3d::Zero());
  const Solved solved =
      solve(problem, colours_of(problem), {.solver = Solver::kGaussSeidel, .tolerance = 1e-14, .max_sweeps = 3}, R);
  EXPECT_FALSE(solved.converged);
  EXPECT_EQ(solved.sweeps, 3);
  EXPECT_EQ(solved.accuracy.natural, measure(problem, R).natural);
}

// Problems of a public collection, where they lie beside the repository.
TEST(Solve, FrictionProblemsOfOthersTo1em8) {
  const std::filesystem::path folder = std::filesystem::path(source_dir()) / "../shared/data/friction";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no friction problems in " << folder;
  int problems = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".fc3d") continue;
    std::ifstream stream(entry.path());
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    const auto problem = parse_friction_problem(text, entry.path().string());
    ASSERT_TRUE(problem.has_value()) << to_string(problem.error());
    Impulses R(problem->rows.size(), Vector3d::Zero());
    const Solved solved = solve(*problem, colours_of(*problem), {.tolerance = 1e-8}, R);
    EXPECT_TRUE(solved.converged) << entry.path();
    EXPECT_LE(measure(*problem, R).natural, 1e-8) << entry.path();
    ++problems;
  }
  EXPECT_EQ(problems, 10);
}

}  // namespace
}  // namespace espalier::contact
