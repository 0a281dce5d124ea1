#pragma once

// Types for joints that make redundant equations independent.

#include <span>
#include <utility>
#include <vector>

#include "espalier/dynamics/detail/row_dependence.hpp"
#include "espalier/dynamics/redundancy.hpp"

namespace espalier::dynamics::detail {

// Every relation y^T G = 0 is a state of wrenches that loops hold against themselves. Freeing a direction in which
// joint j carries such a wrench removes one relation and no more; freeing several at once must remove as many. Joints
// that free most come first, then cut joints, then the lower id; one that is driven keeps its type. `rows` at the pose
// of the relations.
std::vector<Remedy> find_remedies(const System& system, const ConstraintRows& rows,
                                  const std::vector<SparseVector>& relations);

// The same mechanism with these joints of another type and without drives, and its coordinates in the pose q.
std::pair<System, std::vector<double>> retyped(const System& system, std::span<const double> q,
                                               std::span<const Remedy> remedies);

}  // namespace espalier::dynamics::detail
