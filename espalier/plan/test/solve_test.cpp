#include "espalier/plan/detail/solve.hpp"

#include <gtest/gtest.h>

#include "espalier/plan/test/all_trees.hpp"

namespace espalier::plan::detail {
namespace {

Solved solve_by(Method method, const Problem& problem, const Goal& goal) {
  PlanOptions options;
  options.method = method;
  return solve(problem, goal, options, {});
}

// A triangle in which weight and length disagree.
Problem triangle() {
  Problem problem;
  problem.graph = {3, {{0, 1}, {1, 2}, {2, 0}}};
  problem.weight = {1, 2, 5};
  problem.length = {4, 2, 1};
  return problem;
}

TEST(Solve, ProvesWhatEnumerationFinds) {
  for (std::uint32_t key = 0; key < 150; ++key) {
    const Problem problem = random_problem(key);
    for (const Goal& goal : {Goal{1, 1}, Goal{1, 0.2}, Goal{0, 1}, Goal{1, 0}}) {
      const Solved solved = solve_by(Method::kAuto, problem, goal);
      ASSERT_TRUE(solved.tree) << key;
      const double least = find_optimum(problem, goal);
      EXPECT_TRUE(solved.proved) << solved.proof;
      EXPECT_NEAR(cost(goal, solved.measure), least, 1e-9 * least) << key;
      EXPECT_NEAR(solved.lower_bound, least, 1e-9 * least) << key;
    }
  }
}

TEST(Solve, NoMethodClaimsMoreThanIsTrue) {
  for (std::uint32_t key = 0; key < 60; ++key) {
    Problem problem = random_problem(key);
    problem.pinned.clear();
    const Goal goal{1, 0.5};
    const double least = find_optimum(problem, goal);
    for (const Method method : {Method::kSearch, Method::kA1, Method::kA2, Method::kA3, Method::kExchange, Method::kDfs,
                                Method::kBfs, Method::kPrim, Method::kKruskal}) {
      const Solved solved = solve_by(method, problem, goal);
      ASSERT_TRUE(solved.tree) << to_string(method);
      EXPECT_EQ(measure(problem, *solved.tree), solved.measure);
      EXPECT_LE(solved.lower_bound, least * (1 + 1e-9)) << to_string(method);
      EXPECT_GE(cost(goal, solved.measure), least * (1 - 1e-9)) << to_string(method);
      if (solved.proved) {
        EXPECT_NEAR(cost(goal, solved.measure), least, 1e-9 * least) << to_string(method);
      }
    }
  }
}

TEST(Solve, GoalsOfOneTermNeedNoSearch) {
  const Solved lightest = solve_by(Method::kAuto, triangle(), {0, 1});
  EXPECT_EQ(lightest.method, Method::kKruskal);
  EXPECT_EQ(graph::tree_edges(*lightest.tree), (std::vector<int>{0, 1}));
  const Solved shortest = solve_by(Method::kAuto, triangle(), {1, 0});
  EXPECT_EQ(shortest.method, Method::kA1);
  EXPECT_EQ(shortest.measure.length, 2);
  EXPECT_EQ(shortest.tree->root, 2);
  EXPECT_EQ(lightest.nodes + shortest.nodes, 0);
}

TEST(Solve, WithoutLoopsTheOnlyTreeIsProvedOrBreaksALimit) {
  Problem chain = triangle();
  chain.graph.edges.pop_back();
  const Solved solved = solve_by(Method::kAuto, chain, {1, 1});
  EXPECT_EQ(solved.proof, "there are no loops, hence no other tree");
  // On its centre, vertex 1: 4 + 3.
  EXPECT_EQ(solved.lower_bound, 7);
  EXPECT_FALSE(solve_by(Method::kAuto, chain, {1, 1, 3.9}).tree);
}

TEST(Solve, LimitsThatNoTreeKeepsAreProvedSo) {
  const Solved none = solve_by(Method::kExact, triangle(), {0, 1, 1.5});
  EXPECT_FALSE(none.tree);
  EXPECT_TRUE(none.proved);
  // Length 2 takes edges 1 and 2.
  const Solved some = solve_by(Method::kExact, triangle(), {0, 1, 2});
  ASSERT_TRUE(some.tree);
  EXPECT_EQ(some.measure.weight, 7);
}

TEST(Solve, AnsweredByAPaperSaysWhoLookedForNoProof) {
  Problem square;
  square.graph = {4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}}};
  square.weight = {9, 9, 9, 9, 1};
  square.length = {1, 1, 1, 1, 1};
  const Solved solved = solve_by(Method::kDfs, square, {1, 1});
  EXPECT_FALSE(solved.proved);
  EXPECT_EQ(solved.proof, "not proved: dfs looks for no proof");
}

}  // namespace
}  // namespace espalier::plan::detail
