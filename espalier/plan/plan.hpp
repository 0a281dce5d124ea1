#pragma once

// Which joints are cut, which body is the root: the tree on which a mechanism is computed at the lowest cost, and how
// far from the optimum it can be at most.
//   In:     a Network (a mechanism's graph or a plain one), PlanOptions
//   Out:    Plan: the tree, the cut edges, cost, lower bound, proof
//   Source: [Liu99] for the problems and the cost; [Wang97] for weights and arrays; docs/theory/plan.md for the rest

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/graph/graph.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/plan/options.hpp"

namespace espalier::plan {

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

// A plan whose tree somebody else has chosen: one that was saved, or one written by hand.

struct GivenTree {
  std::vector<int> edges;  // of the tree; where parents come first, this becomes the order of the plan
  std::vector<int> roots;  // one a piece
  // Bodies cut in two: the edge ends at a new half of `body` (HalfBody::other), one of its ends.
  struct Half {
    int edge = -1;
    int body = -1;
  };
  std::vector<Half> halves;
};

// The plan on this tree, measured anew; nothing is claimed of its optimality. Errors: edges that close a loop or leave
// a body out, a piece with no root or several. O(V + E).
Result<Plan> plan_from_tree(const Network& network, const GivenTree& given, Objective objective = Objective::kMccst,
                            double beta = 1);

// The plan with joints kept that it cuts: each ends at a new half of a body at one of its ends, and six equations weld
// the half to the rest of it. Measured anew; nothing is claimed of its optimality. O(V + E).
Plan keep_joints(Plan plan, const std::vector<GivenTree::Half>& halves);

}  // namespace espalier::plan
