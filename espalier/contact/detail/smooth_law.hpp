#pragma once

#include <Eigen/Core>

#include "espalier/contact/local_problem.hpp"

namespace espalier::contact::detail {

// C(U, R) = 0 in place of a row's law, and its derivatives: what Newton's method needs. With smoothing s = 0 the zeros
// are those of the law; with s > 0 [J] C is smooth and contacts obey (C22): they push a little even where they part,
// and creep a little even where they stick.
struct Linearised {
  Eigen::Vector3d C;           // [N s]
  Eigen::Matrix3d by_U, by_R;  // dC/dU, dC/dR
  Eigen::Vector3d by_s;        // dC/ds
};

// What makes a velocity an impulse [kg]. It does not move the zeros, but Newton's method goes farther by one step where
// what a contact has of both, R_N and weight x U_N, is alike. Laws that are no contacts take the one along n.
struct Weights {
  double normal, tangential;
};
Linearised linearise(const Row& row, const Eigen::Vector3d& U, const Eigen::Vector3d& R, double step,
                     const Weights& weights, double smoothing);

}  // namespace espalier::contact::detail
