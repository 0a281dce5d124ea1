#pragma once

// One connected problem, one goal, one method: the tree, and what is proved about it.

#include <functional>
#include <optional>
#include <string>

#include "espalier/graph/graph.hpp"
#include "espalier/plan/detail/problem.hpp"
#include "espalier/plan/options.hpp"

namespace espalier::plan::detail {

struct Solved {
  std::optional<graph::Tree> tree;  // none: no tree keeps the goal's limits, or none was found
  Measure measure;
  double lower_bound = 0;  // of the goal's cost
  bool proved = false;     // optimal; or, without a tree, that there is none
  Method method = Method::kAuto;
  std::string proof;
  std::int64_t nodes = 0;
  ExchangeCount exchanges;
};

// What the proof search of kAuto may do: nodes times arcs. Some seconds on one core.
inline constexpr double kAutoWork = 4e7;

// `stop` is asked now and then; empty: never stops. kAuto, kExact and kSearch respect pins and limits; the papers' own
// methods give their tree whatever the limits are.
Solved solve(const Problem& problem, const Goal& goal, const PlanOptions& options, const std::function<bool()>& stop);

}  // namespace espalier::plan::detail
