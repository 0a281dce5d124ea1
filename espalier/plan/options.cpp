#include "espalier/plan/options.hpp"

#include "espalier/plan/words.hpp"

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

const char* to_string(Objective objective) { return word_of(objective); }
const char* to_string(Method method) { return word_of(method); }

}  // namespace espalier::plan
