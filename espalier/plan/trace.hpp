#pragma once

// The methods of [Liu99] 6 step by step: what they discussed, what they exchanged, and at what cost.

#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/graph/graph.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/plan/options.hpp"

namespace espalier::plan {

// One discussed vertex, as [Liu99] 7.2 prints it.
struct Discussion {
  int vertex = -1;
  int old_parent = -1;  // -1: no exchange lowers the cost
  int new_parent = -1;
  double change = 0;         // dfc
  int centre = -1;           // after the exchange
  std::vector<int> deleted;  // from the stack
  std::vector<int> pushed;   // on the stack: vertices that became leaves
  double accumulated = 0;    // the paper's f_c after the exchange; 0 where there is none
  double measured = 0;       // the true one; 0 where there is none
};

struct Round {
  std::vector<int> stack;
  std::vector<Discussion> discussions;
};

struct ExchangeRun {
  graph::Tree start;
  graph::Tree tree;  // the last one; hung on its centre, or on the problem's root
  double start_cost = 0;
  double accumulated = 0;  // start_cost and all changes
  double cost = 0;         // of `tree`, measured anew
  ExchangeCount count;
  std::vector<Round> rounds;  // of a run that is traced
};

// The run behind Method::kA2, kA3 or kExchange on the largest piece of the network, whose names it carries.
struct ExchangeTrace {
  Network network;
  ExchangeRun run;
};
Result<ExchangeTrace> trace_exchange(const Network& network, const PlanOptions& options);

// A traced run in the words of the program of [Liu99] 7.2. Vertices carry the network's
// names; "0" is the predecessor of the root. Where the paper's sum of changes is not the cost of the resulting tree, a
// last line of ours says what that is.
std::string trace_text(const Network& network, const ExchangeRun& run);

}  // namespace espalier::plan
