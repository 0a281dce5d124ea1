#include "espalier/plan/generate.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "espalier/plan/detail/exact.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::plan::detail {
namespace {

// All eight clauses over three variables: each assignment breaks one of them.
Formula all_clauses() {
  Formula formula{3, {}};
  for (int signs = 0; signs < 8; ++signs) {
    const auto literal = [&](int k) { return (signs >> (k - 1)) & 1 ? -k : k; };
    formula.clauses.push_back({literal(1), literal(2), literal(3)});
  }
  return formula;
}

// Whether the graph has a tree within the limits, from any root.
bool feasible(const SatProblem& sat) {
  const Problem problem{sat.network.graph, sat.network.weight, sat.network.length, {}, -1};
  const ExactResult result = solve_exactly(problem, {0, 0, sat.max_length, sat.max_weight});
  EXPECT_TRUE(result.finished);
  if (result.tree) {
    EXPECT_EQ(result.tree->root, 0);
    EXPECT_LE(result.measure.weight, sat.max_weight);
    EXPECT_LE(result.measure.length, sat.max_length);
  }
  return result.tree.has_value();
}

//      s
//      | 5
//      r --2-- x1 --1-- not x1 --2-- r ...
//               \ 3
//                c1
TEST(Generate3sat, TheGraphIsThatOfTheProof) {
  const SatProblem sat = make_sat_problem({3, {{1, -2, 3}}});
  EXPECT_EQ(sat.network.graph.vertices, 2 * 3 + 1 + 2);
  ASSERT_EQ(sat.network.graph.edges.size(), 3u * 3 + 3 * 1 + 1);
  EXPECT_EQ(sat.max_weight, 3 * 3 + 3 * 1 + 5);
  EXPECT_EQ(sat.network.length, sat.network.weight);
  std::multiset<double> weights(sat.network.weight.begin(), sat.network.weight.end());
  EXPECT_EQ(weights.count(2), 6u);
  EXPECT_EQ(weights.count(1), 3u);
  EXPECT_EQ(weights.count(3), 3u);
  EXPECT_EQ(weights.count(5), 1u);
  // x1 is vertex 1, not x2 vertex 4, x3 vertex 5; the clause is vertex 7.
  for (const auto& [e, literal] : {std::pair(9, 1), std::pair(10, 4), std::pair(11, 5)}) {
    EXPECT_EQ(sat.network.graph.edges[e].a, literal);
    EXPECT_EQ(sat.network.graph.edges[e].b, 7);
  }
  EXPECT_TRUE(check_network(sat.network).has_value());
}

TEST(Generate3sat, ClausesHoldThreeDistinctVariables) {
  const Result<SatProblem> sat = generate_3sat(5, 200, 7);
  ASSERT_TRUE(sat.has_value());
  std::set<int> literals;
  for (const std::array<int, 3>& clause : sat->formula.clauses) {
    std::set<int> variables;
    for (const int literal : clause) {
      literals.insert(literal);
      variables.insert(std::abs(literal));
      EXPECT_GE(std::abs(literal), 1);
      EXPECT_LE(std::abs(literal), 5);
    }
    EXPECT_EQ(variables.size(), 3u);
  }
  EXPECT_EQ(literals.size(), 10u);
}

TEST(Generate3sat, TheSeedDecides) {
  EXPECT_EQ(generate_3sat(6, 20, 1)->formula.clauses, generate_3sat(6, 20, 1)->formula.clauses);
  EXPECT_NE(generate_3sat(6, 20, 1)->formula.clauses, generate_3sat(6, 20, 2)->formula.clauses);
}

TEST(Generate3sat, SizesOutOfRangeAreErrors) {
  EXPECT_EQ(generate_3sat(2, 5, 1).error().message, "variables = 2 must lie between 3 and 1000000");
  EXPECT_EQ(generate_3sat(5, 0, 1).error().message, "clauses = 0 must lie between 1 and 1000000");
}

TEST(Generate3sat, BruteForceKnowsTheSmallestUnsatisfiableFormula) {
  Formula formula = all_clauses();
  EXPECT_FALSE(satisfiable(formula));
  for (std::size_t c = 0; c < formula.clauses.size(); ++c) {
    Formula seven = formula;
    seven.clauses.erase(seven.clauses.begin() + static_cast<std::ptrdiff_t>(c));
    EXPECT_TRUE(satisfiable(seven));
  }
}

TEST(Generate3sat, ATreeIsFoundExactlyWhereTheFormulaIsSatisfiable) {
  std::vector<Formula> formulas = {all_clauses()};
  formulas.push_back(all_clauses());
  formulas.back().clauses.pop_back();
  for (std::uint64_t seed = 1; seed <= 24; ++seed) formulas.push_back(generate_3sat(5, 24, seed)->formula);
  for (std::uint64_t seed = 1; seed <= 6; ++seed) formulas.push_back(generate_3sat(9, 39, seed)->formula);
  int satisfied = 0;
  for (const Formula& formula : formulas) {
    const bool expected = satisfiable(formula);
    satisfied += expected ? 1 : 0;
    EXPECT_EQ(feasible(make_sat_problem(formula)), expected);
  }
  // Both answers were asked for.
  EXPECT_GE(satisfied, 5);
  EXPECT_LE(satisfied, static_cast<int>(formulas.size()) - 5);
}

TEST(Generate3sat, ThePlanAnswersTheQuestion) {
  Formula formula = all_clauses();
  for (const bool expected : {false, true}) {
    const SatProblem sat = make_sat_problem(formula);
    PlanOptions options;
    options.objective = Objective::kBcbbwst;
    options.max_weight = sat.max_weight;
    options.max_length = sat.max_length;
    const Result<Plan> plan = make_plan(sat.network, options);
    ASSERT_TRUE(plan.has_value()) << to_string(plan.error());
    EXPECT_EQ(plan->feasible, expected);
    formula.clauses.pop_back();
  }
}

}  // namespace
}  // namespace espalier::plan::detail
