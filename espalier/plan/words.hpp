#pragma once

// The words of what can be asked of a plan, as users type them and files hold them. Every door and every file reads
// this one table; word_of(), find_word() and all_words() of base/text.hpp work on it.

#include "espalier/base/text.hpp"
#include "espalier/plan/options.hpp"

namespace espalier::plan {

constexpr Words<Objective, 10> words(Objective) {
  return {{{"mccst", Objective::kMccst},
           {"mwst", Objective::kMwst},
           {"scbst", Objective::kScbst},
           {"scbmwst", Objective::kScbmwst},
           {"mwscbst", Objective::kMwscbst},
           {"bcbmwst", Objective::kBcbmwst},
           {"bwscbst", Objective::kBwscbst},
           {"bcbbwst", Objective::kBcbbwst},
           {"sequential", Objective::kSequential},
           {"time", Objective::kTime}}};
}

constexpr Words<Method, 11> words(Method) {
  return {{{"auto", Method::kAuto},
           {"exact", Method::kExact},
           {"search", Method::kSearch},
           {"a1", Method::kA1},
           {"a2", Method::kA2},
           {"a3", Method::kA3},
           {"exchange", Method::kExchange},
           {"dfs", Method::kDfs},
           {"bfs", Method::kBfs},
           {"prim", Method::kPrim},
           {"kruskal", Method::kKruskal}}};
}

constexpr Words<Start, 2> words(Start) { return {{{"scbst", Start::kScbst}, {"mwst", Start::kMwst}}}; }

constexpr Words<Sweep, 3> words(Sweep) {
  return {{{"near", Sweep::kNear}, {"far", Sweep::kFar}, {"centre-out", Sweep::kCentreOut}}};
}

}  // namespace espalier::plan
