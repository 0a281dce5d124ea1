#include "espalier/plan/explain.hpp"

#include <algorithm>

namespace espalier::plan {
namespace {

struct Variant {
  const char* name;
  Method method;
  Start start = Start::kScbst;
  Sweep sweep = Sweep::kFar;
};

constexpr Variant kVariants[] = {
    {"breadth first", Method::kBfs},
    {"depth first", Method::kDfs},
    {"lightest tree (Kruskal)", Method::kKruskal},
    {"shortest critical branch (A1)", Method::kA1},
    {"A2: from A1, nearest first", Method::kA2},
    {"A3: from A1, farthest first", Method::kA3},
    {"from A1, centre out", Method::kExchange, Start::kScbst, Sweep::kCentreOut},
    {"from Kruskal, nearest first", Method::kExchange, Start::kMwst, Sweep::kNear},
    {"from Kruskal, farthest first", Method::kExchange, Start::kMwst, Sweep::kFar},
    {"from Kruskal, centre out", Method::kExchange, Start::kMwst, Sweep::kCentreOut},
    {"search", Method::kSearch},
    {"auto", Method::kAuto},
};

}  // namespace

Comparison compare_methods(const Network& network, const PlanOptions& options) {
  Comparison comparison;
  for (const Variant& variant : kVariants) {
    // One at a time by the front door, so that a method is refused here for the same reasons as alone.
    PlanOptions with = options;
    with.method = variant.method;
    with.start = variant.start;
    with.sweep = variant.sweep;
    // The front is the same for all of them, and what takes longest.
    with.front = false;
    Compared& compared = comparison.methods.emplace_back();
    compared.name = variant.name;
    const Result<Plan> plan = make_plan(network, with);
    if (!plan) {
      compared.left_out = plan.error().message;
      continue;
    }
    compared.cost = plan->cost;
    compared.measure = plan->measure;
    compared.exchanges = plan->exchanges;
    compared.seconds = plan->seconds;
    // A bound that one method proves holds for all.
    comparison.lower_bound = std::max(comparison.lower_bound, plan->lower_bound);
  }
  return comparison;
}

}  // namespace espalier::plan
