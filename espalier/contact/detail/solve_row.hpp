#pragma once

#include <Eigen/Core>

#include "espalier/contact/local_problem.hpp"

namespace espalier::contact::detail {

// One row: R with its law satisfied at U = b + W R, exact to rounding (1e-14 of what it is computed from) for a
// positive definite W whose condition is below 1e7; beyond 1e8 a wedged contact may be missed, one in 10^5. No
// allocation. Contact: parting and sticking in closed form, sliding by the root of one function of one number,
// bracketed, so that it ends always; a contact that could part or stick parts. Where friction is so large that it can
// slide in two ways, the start decides. A link that is out of reach keeps U_N = 0.
Eigen::Vector3d solve_row(const Row& row, const Eigen::Matrix3d& W, const Eigen::Vector3d& b, double step,
                          const Eigen::Vector3d& start);

}  // namespace espalier::contact::detail
