#include "espalier/plan/generate.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "espalier/base/numbers.hpp"
#include "espalier/base/result.hpp"

namespace espalier::plan {
namespace {

// The weights of [Liu99] 5.2, which are lengths as well. The lightest trees hold the contrast of every variable, 1, one
// of its assignments, 2, one edge into each clause, 3, and the special one, 5: W <= 3n + 3q + 5 allows no others.
constexpr double kAssignment = 2;
constexpr double kContrast = 1;
constexpr double kClause = 3;
constexpr double kSpecial = 5;
constexpr int kMost = 1'000'000;

void add_edge(Network& network, int a, int b, double weight) {
  network.graph.edges.push_back({a, b});
  network.weight.push_back(weight);
  network.length.push_back(weight);
}

// Vertex 0 is the root, then x_k at 2k - 1 and its negation at 2k, then the clauses, and the special vertex last.
int literal_vertex(int literal) { return 2 * std::abs(literal) - (literal > 0 ? 1 : 0); }

Result<void> check_range(const char* argument, int value, int low) {
  if (value >= low && value <= kMost) return {};
  return make_error(ErrorCode::kOption, {},
                    fmt::format("{} = {} must lie between {} and {}", argument, value, low, kMost));
}

// Bit k - 1 of an assignment is the value of variable k.
bool holds(const std::array<int, 3>& clause, unsigned assignment) {
  return std::any_of(clause.begin(), clause.end(), [&](int literal) {
    const bool value = (assignment >> (std::abs(literal) - 1)) & 1u;
    return value == (literal > 0);
  });
}

}  // namespace

SatProblem make_sat_problem(const Formula& formula) {
  const int n = formula.variables;
  const auto q = static_cast<int>(formula.clauses.size());
  SatProblem problem{formula, {}, 3.0 * n + 3.0 * q + 5, 5};
  Network& network = problem.network;
  network.graph.vertices = 2 * n + q + 2;
  for (int k = 1; k <= n; ++k) {
    add_edge(network, 0, literal_vertex(k), kAssignment);
    add_edge(network, 0, literal_vertex(-k), kAssignment);
    add_edge(network, literal_vertex(k), literal_vertex(-k), kContrast);
  }
  // A literal that hangs on the root is true and 2 away from it, its negation hangs on it, 3 away. A clause is then 5
  // away over a true literal and 6 over a false one: L <= 5 asks each clause for a true one.
  for (int c = 0; c < q; ++c) {
    for (const int literal : formula.clauses[c]) add_edge(network, literal_vertex(literal), 2 * n + 1 + c, kClause);
  }
  // As long as K2 itself, so that no tree is shorter than the limit.
  add_edge(network, 0, 2 * n + q + 1, kSpecial);
  return problem;
}

Result<SatProblem> generate_3sat(int variables, int clauses, std::uint64_t seed) {
  const Result<void> variables_range = check_range("variables", variables, 3);
  ESPALIER_TRY(variables_range);
  const Result<void> clauses_range = check_range("clauses", clauses, 1);
  ESPALIER_TRY(clauses_range);
  Formula formula{variables, {}};
  Random random(seed);
  for (int c = 0; c < clauses; ++c) {
    std::array<int, 3> clause{};
    for (int k = 0; k < 3; ++k) {
      const auto taken = [&](int variable) {
        return std::any_of(clause.begin(), clause.begin() + k, [&](int other) { return std::abs(other) == variable; });
      };
      int variable = 1 + random.below(variables);
      // Three different variables: a clause with one twice would be easier than it looks.
      while (taken(variable)) variable = 1 + random.below(variables);
      clause[k] = random.below(2) == 0 ? variable : -variable;
    }
    formula.clauses.push_back(clause);
  }
  return make_sat_problem(formula);
}

bool satisfiable(const Formula& formula) {
  ESPALIER_CHECK(formula.variables <= 24, "too many assignments to try");
  for (unsigned assignment = 0; assignment < (1u << formula.variables); ++assignment) {
    if (std::all_of(formula.clauses.begin(), formula.clauses.end(),
                    [&](const std::array<int, 3>& clause) { return holds(clause, assignment); }))
      return true;
  }
  return false;
}

}  // namespace espalier::plan
