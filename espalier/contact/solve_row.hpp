#pragma once

#include <Eigen/Core>

#include "espalier/contact/local_problem.hpp"

namespace espalier::contact {

// One row: R with its law satisfied at U = b + W R, exact to rounding for a positive definite W (condition
// up to 1e7; beyond it wedged contacts may keep 1e-8 of what they are computed from). No allocation; 0.1 us.
// Contact: parting and sticking in closed form, sliding by the root of one function of one number, bracketed, so that
// it ends always; a contact that could part or stick parts. Where friction is so large that it can slide in two ways,
// the start decides. A link that is out of reach keeps U_N = 0.
Eigen::Vector3d solve_row(const Row& row, const Eigen::Matrix3d& W, const Eigen::Vector3d& b, double step,
                          const Eigen::Vector3d& start);

}  // namespace espalier::contact
