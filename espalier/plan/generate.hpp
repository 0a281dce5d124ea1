#pragma once

// Plain networks of any size for tests and measurements, and hard ones made of formulas. The same seed gives the same
// network on every machine.

#include <array>
#include <cstdint>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/plan/network.hpp"

namespace espalier::plan {

struct GenerateOptions {
  int most_weight = 10;     // weights are whole numbers, uniform in 1 .. most_weight
  bool own_length = false;  // lengths are drawn like the weights; else l = w
  std::uint64_t seed = 1;
};

// A random tree (each vertex is joined to a random earlier one, in random numbering) and random edges between different
// vertices. `edges` at least vertices - 1. Parallel edges may occur. O(V + E).
Network generate_random(int vertices, int edges, const GenerateOptions& options = {});

// rows x columns vertices, each joined to its neighbours.
Network generate_grid(int rows, int columns, const GenerateOptions& options = {});

// A grid of two columns: `rungs` loops in a row.
Network generate_ladder(int rungs, const GenerateOptions& options = {});

// Like a large mechanism: chains that branch, and one loop of 4 to 9 joints in every ten; `vertices` / 10 loops in all.
Network generate_multibody(int vertices, const GenerateOptions& options = {});

// The graph of Fig. 2a of [Liu99], which is lost, as far as its printed run in 7.2 says what it was: 20 vertices, 32
// edges, and A3 prints that run on it line by line. A reconstruction of ours; docs/theory/plan.md tells what is open.
Network liu99_fig2a();

// A random graph as large as those of Table 3 of [Liu99], 1000 to 4000 vertices. The paper says neither how many edges
// they have nor how they are weighed: here 2 edges per vertex, weights 1 to 10.
Network liu99_table3(int vertices, std::uint64_t seed);

// 3SAT formulas as spanning tree problems, the proof of [Liu99] 5.2 that BCBBWST is NP-complete. A formula of n
// variables and q clauses becomes a graph of 2n + q + 2 vertices and 3n + 3q + 1 edges:
//   r, the root    n pairs of literals x, not x    q clauses    s, special
//   weight 2       r to every literal (assignment)
//   weight 1       x to not x (contrast)
//   weight 3       a literal to each clause that holds it
//   weight 5       r to s: no other vertex reaches s within 5, so that r is the root of every tree that counts
// Lengths are weights. The formula is satisfiable exactly if a tree has W <= 3n + 3q + 5 and L <= 5: a true literal
// hangs on r, its opposite on it, and every clause on a true literal. Near q = 4.3 n random formulas are hardest.
//
// Clauses of three literals: +k is variable k, -k its opposite; k = 1 .. variables.
struct Formula {
  int variables = 0;
  std::vector<std::array<int, 3>> clauses;
};

struct SatProblem {
  Formula formula;
  Network network;        // r is vertex 0, then x1, not x1, x2, ..., the clauses, s
  double max_weight = 0;  // K1 = 3n + 3q + 5
  double max_length = 5;  // K2
};

SatProblem make_sat_problem(const Formula& formula);

// Clauses of three distinct variables, each negated or not by a fair coin. Same arguments, same formula. Variables 3 to
// 10^6, clauses 1 to 10^6.
Result<SatProblem> generate_3sat(int variables, int clauses, std::uint64_t seed);

// Tries all assignments: O(2^n q), for at most 24 variables.
bool satisfiable(const Formula& formula);

}  // namespace espalier::plan
