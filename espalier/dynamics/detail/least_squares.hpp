#pragma once

#include <Eigen/SparseCore>

namespace espalier::dynamics::detail {

// The v nearest to `start` of all that make |objective v - wanted| least among those with constraints v = values.
// Constraints may repeat each other, but must not contradict. Entries are taken to be of the order of 1. Proximal steps
// with multipliers on one sparse factor.
Eigen::VectorXd constrained_least_squares(const Eigen::SparseMatrix<double>& objective, const Eigen::VectorXd& wanted,
                                          const Eigen::SparseMatrix<double>& constraints, const Eigen::VectorXd& values,
                                          const Eigen::VectorXd& start);

}  // namespace espalier::dynamics::detail
