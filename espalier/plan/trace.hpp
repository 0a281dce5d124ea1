#pragma once

#include <string>

#include "espalier/plan/exchange.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::plan {

// The run behind Method::kA2, kA3 or kExchange on the largest piece of the network, whose names it carries.
struct ExchangeTrace {
  Network network;
  ExchangeRun run;
};
Result<ExchangeTrace> trace_exchange(const Network& network, const PlanOptions& options);

// A run of exchange_edges made with `trace`, in the words of the program of [Liu99] 7.2. Vertices carry the network's
// names; "0" is the predecessor of the root. Where the paper's sum of changes is not the cost of the resulting tree, a
// last line of ours says what that is.
std::string trace_text(const Network& network, const ExchangeRun& run);

}  // namespace espalier::plan
