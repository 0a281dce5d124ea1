#pragma once

// Why a plan is as it is: what another cut of a loop would cost, and what the other methods find.
//   In:   a Plan or a Network, and the PlanOptions that it was made with
//   Out:  CutExplanation of each cut; Comparison of all methods
// Read next: plan.hpp, which makes plans; trace.hpp, a method step by step.

#include <cstddef>
#include <optional>
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

// For each loop, what cutting another of its joints instead would change.

enum class CutReason {
  kForced,         // the user asked for it
  kSelfJoint,      // both ends are on one body
  kNoOther,        // all others of the loop are pinned or break a limit of the objective
  kHeaviest,       // all others that are not pinned are lighter
  kShorterBranch,  // with one as heavy or heavier cut instead, the critical branch would be longer
  kFastest,        // kTime: with any other cut instead an evaluation takes longer
  kTie,            // cutting another one costs the same
  kNotBest,        // cutting another one would be cheaper: the plan is not the best
  kNotExamined,    // the loop is too long, or the graph too large
};

// The same tree with another edge of the loop cut and the cut one back in it; all changes measured anew.
struct Alternative {
  int edge = -1;
  bool pinned = false;           // may not be cut; nothing below is filled
  bool breaks_limit = false;     // of the objective: the longest L or the largest W it allows
  bool examined = false;         // false: nothing below is filled
  double length = 0;             // change of L
  double weight = 0;             // change of W
  double cost = 0;               // change of the objective
  std::optional<int> equations;  // change of N(T); no value for a plain graph
};

struct CutExplanation {
  int edge = -1;
  std::vector<int> loop;  // in cyclic order, the cut edge first
  CutReason reason = CutReason::kNotExamined;
  std::vector<Alternative> alternatives;  // in the order of the loop
};

// Where to stop in a large graph.
struct ExplainLimits {
  std::size_t cuts = 40;              // explained, the first ones
  std::size_t vertices = 30'000'000;  // visited in all, one tree after the other: some seconds
};

// One for each cut edge; `options` are those the plan was made with. The tree keeps its root where that was asked for,
// else it moves to the best one (for kTime it stays). O(V) for each alternative. In a plan that is optimal no
// alternative that may be cut has a negative cost, but for a cut that was forced.
std::vector<CutExplanation> explain_cuts(const Plan& plan, const PlanOptions& options,
                                         const ExplainLimits& limits = {});

// The reason as a part of a sentence: "it is the heaviest of its loop".
std::string reason_text(const Plan& plan, const CutExplanation& explanation);

}  // namespace espalier::plan
