#pragma once

// A plan whose tree somebody else has chosen: one that was saved, or one written by hand.

#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::plan {

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
