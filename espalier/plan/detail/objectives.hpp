#pragma once

// What each Objective asks of the pieces of a network, and the trees that answer it. L of the whole is the longest of
// the pieces, W the sum, so that only L + beta W and "L where W is limited" tie the pieces together.

#include <functional>
#include <vector>

#include "espalier/plan/detail/exact.hpp"
#include "espalier/plan/detail/pieces.hpp"
#include "espalier/plan/detail/solve.hpp"

namespace espalier::plan::detail {

struct Answer {
  std::vector<Solved> pieces;  // one a piece, each with a tree
  double cost = 0;
  double lower_bound = 0;
  bool optimal = false;
  std::optional<bool> feasible;  // kBcbbwst
};

// All objectives but kTime (time_search.hpp). `freedom` by edge of the network, for kSequential. Errors: limits that no
// tree can keep, with by how much they fail.
Result<Answer> find_answer(const std::vector<Piece>& pieces, const std::vector<int>& freedom,
                           const PlanOptions& options, const std::function<bool()>& stop);

// The fronts of all pieces, and the points (L, W) of the whole that follow from them.
struct JointFront {
  std::vector<FrontResult> pieces;
  bool finished = true;
  std::int64_t nodes = 0;
};
JointFront find_joint_front(const std::vector<Piece>& pieces, const ExactOptions& options);
std::vector<Measure> front_points(const JointFront& front);

}  // namespace espalier::plan::detail
