#include "espalier/plan/options.hpp"

namespace espalier::plan {

// The table of docs/theory/plan.md, "The problems". Everything else that depends on an objective reads it here.
Meaning meaning_of(Objective objective, double beta) {
  using enum Meaning::Unit;
  switch (objective) {
    case Objective::kMccst:
      return {kLengthAndWeight, 1, beta};
    case Objective::kMwst:
      return {kLengthAndWeight, 0, 1};
    case Objective::kScbst:
      return {kLengthAndWeight, 1, 0};
    case Objective::kScbmwst:
      return {kLengthAndWeight, 0, 1, Limit::kSmallest};
    case Objective::kMwscbst:
      return {kLengthAndWeight, 1, 0, Limit::kNone, Limit::kSmallest};
    case Objective::kBcbmwst:
      return {kLengthAndWeight, 0, 1, Limit::kAsked};
    case Objective::kBwscbst:
      return {kLengthAndWeight, 1, 0, Limit::kNone, Limit::kAsked};
    case Objective::kBcbbwst:
      return {kYesOrNo, 0, 0, Limit::kAsked, Limit::kAsked};
    case Objective::kSequential:
      return {kEquations, 0, 1};
    case Objective::kTime:
      return {kSeconds};
  }
  return {};
}

const char* to_string(Objective objective) {
  switch (objective) {
    case Objective::kMccst:
      return "mccst";
    case Objective::kMwst:
      return "mwst";
    case Objective::kScbst:
      return "scbst";
    case Objective::kScbmwst:
      return "scbmwst";
    case Objective::kMwscbst:
      return "mwscbst";
    case Objective::kBcbmwst:
      return "bcbmwst";
    case Objective::kBwscbst:
      return "bwscbst";
    case Objective::kBcbbwst:
      return "bcbbwst";
    case Objective::kSequential:
      return "sequential";
    case Objective::kTime:
      return "time";
  }
  return "";
}

const char* to_string(Method method) {
  switch (method) {
    case Method::kAuto:
      return "auto";
    case Method::kExact:
      return "exact";
    case Method::kSearch:
      return "search";
    case Method::kA1:
      return "a1";
    case Method::kA2:
      return "a2";
    case Method::kA3:
      return "a3";
    case Method::kExchange:
      return "exchange";
    case Method::kDfs:
      return "dfs";
    case Method::kBfs:
      return "bfs";
    case Method::kPrim:
      return "prim";
    case Method::kKruskal:
      return "kruskal";
  }
  return "";
}

}  // namespace espalier::plan
