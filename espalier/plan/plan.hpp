#pragma once

// Which joints are cut, which body is the root: the tree on which a mechanism is computed at the lowest cost, and how
// far from the optimum it can be at most.
//   In:     a Network (a mechanism's graph or a plain one), PlanOptions
//   Out:    Plan: the tree, the cut edges, cost, lower bound, proof
//   Source: [Liu99] for the problems and the cost; [Wang97] for weights and arrays; docs/theory/plan.md for the rest

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/graph/tree.hpp"
#include "espalier/plan/exchange.hpp"
#include "espalier/plan/machine.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/plan/problem.hpp"

namespace espalier::plan {

enum class Objective {
  kMccst,       // L + beta W
  kMwst,        // W
  kScbst,       // L
  kScbmwst,     // W among the trees of smallest L
  kMwscbst,     // L among the trees of smallest W
  kBcbmwst,     // W where L <= max_length
  kBwscbst,     // L where W <= max_weight
  kBcbbwst,     // is there a tree with L <= max_length and W <= max_weight?
  kSequential,  // N(T), the number of equations, eq. (2)
  kTime,        // predicted time of one evaluation, time_cost.hpp [s]
};

enum class Method {
  kAuto,      // tries the others, proves what it can within a set amount of work
  kExact,     // branch and bound to the end
  kSearch,    // many starts and exchanges, for graphs of any size
  kA1,        // shortest-path tree of smallest radius
  kA2,        // kExchange from the SCBST, nearest leaves first
  kA3,        // kExchange from the SCBST, farthest leaves first
  kExchange,  // the family of [Liu99] 6.1, by `start` and `sweep`
  kDfs,
  kBfs,
  kPrim,
  kKruskal,
};

struct PlanOptions {
  Objective objective = Objective::kMccst;
  Method method = Method::kAuto;
  double beta = 1;                   // > 0 [-]
  std::optional<double> max_length;  // K2
  std::optional<double> max_weight;  // K1
  bool free_root = false;            // leave the ground as root even where there is one
  int root = -1;                     // this vertex, in its piece; -1: the ground, or the best one where there is none
  std::vector<int> pin;              // edges never cut
  std::vector<int> cut;              // edges always cut
  std::vector<int> cut_body;         // edges kept where their body is cut instead: 6 equations, no coordinate lost
  Start start = Start::kScbst;       // for kExchange
  Sweep sweep = Sweep::kFar;         // for kExchange
  bool front = false;                // find the whole Pareto front (L, W) as well
  double exponent = 2.5;             // P of eqs. (4) and (16), 2 < P < 3
  double time_limit = 0;             // [s]; 0: no clock is read, so that every machine makes the same plan
  std::function<void(const Progress&)> watch;  // told now and then where branch and bound stands
  std::uint64_t seed = 1;                      // for kSearch
  MachineConstants machine;                    // for kTime
  int workers = 1;                             // for kTime
};

// A body cut in two: `vertex` is the half that the joint `edge` keeps, a leaf; six equations weld it to `other`.
struct HalfBody {
  int vertex = -1;
  int other = -1;
  int edge = -1;
};

struct Plan {
  Objective objective = Objective::kMccst;
  Method method = Method::kAuto;  // the one that found this tree
  double beta = 1;
  std::string proof;  // why it is optimal, or why that is not known, as a sentence

  Network network;                        // as planned: with half bodies behind the vertices
  std::vector<HalfBody> half_bodies;      // in the order of PlanOptions::cut_body, each once
  graph::Tree tree;                       // a forest where the network is not connected; tree.root is one of `roots`
  std::vector<int> roots;                 // one a piece, by lowest vertex; the largest piece gives tree.root
  std::vector<int> cut;                   // edges outside the tree, in increasing order
  Measure measure;                        // L, the longest of all pieces, and W, the sum over all pieces
  double cost = 0;                        // of the objective
  double lower_bound = 0;                 // proved: no tree costs less
  bool optimal = false;                   // proved: bound and cost meet, or nothing is left to search
  std::optional<bool> feasible;           // kBcbbwst: the answer; no value where the search ended without one
  std::optional<int> equations;           // N(T); no value for a plain graph
  std::optional<double> cost_sequential;  // eq. (6) with constants 1
  std::optional<double> cost_parallel;    // eq. (18) with constants 1
  std::vector<Measure> front;             // by increasing L; only if asked for
  bool front_proved = false;

  std::int64_t nodes = 0;   // of branch and bound
  ExchangeCount exchanges;  // of the exchange method, where it was asked for
  double seconds = 0;
};

// cost / lower_bound - 1, and 0 where optimal.
double gap(const Plan& plan);

Result<Plan> make_plan(const Network& network, const PlanOptions& options = {});
// With the weights of [Liu99].
Result<Plan> make_plan(const model::Model& model, const PlanOptions& options = {});

// The words of the command line.
const char* to_string(Objective objective);
const char* to_string(Method method);

}  // namespace espalier::plan
