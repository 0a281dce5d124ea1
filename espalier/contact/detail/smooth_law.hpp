#pragma once

#include <Eigen/Core>

#include "espalier/contact/local_problem.hpp"

namespace espalier::contact::detail {

// C(U, R) = 0 in place of a row's law, and its derivatives: what Newton's method needs. rho makes a velocity an impulse
// [kg]. With smoothing s = 0 the zeros are those of the law; with s > 0 [J] C is smooth and contacts obey R o F = s,
// products of the cone's algebra, in place of R o F = 0: they push a little even where they part [Fukushima02].
struct Linearised {
  Eigen::Vector3d C;           // [N s]
  Eigen::Matrix3d by_U, by_R;  // dC/dU, dC/dR
};
Linearised linearise(const Row& row, const Eigen::Vector3d& U, const Eigen::Vector3d& R, double step, double rho,
                     double smoothing);

}  // namespace espalier::contact::detail
