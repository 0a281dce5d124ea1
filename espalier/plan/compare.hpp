#pragma once

#include <string>
#include <vector>

#include "espalier/plan/plan.hpp"

namespace espalier::plan {

// One method's answer to the same problem.
struct Compared {
  std::string name;      // in words
  std::string left_out;  // why it does not suit the problem; nothing else is filled then
  double cost = 0;
  Measure measure;
  ExchangeCount exchanges;
  double seconds = 0;
};

struct Comparison {
  std::vector<Compared> methods;
  double lower_bound = 0;  // the best that any of them proved
};

// The same problem by every method: the study that [Liu99] left open. `options.method`, `start` and `sweep` are not
// used.
Comparison compare_methods(const Network& network, const PlanOptions& options);

}  // namespace espalier::plan
