#pragma once

// Equations on coordinates: prescribed motions, gears, mimic joints, polynomial couplings. They follow the closures'
// rows. For a drive with terms k:
//   residual               0 where it holds; always 0 for a prescribed velocity, which asks nothing of positions
//   d residual / dt        sum_k slope_k qd_k + drift
//   acceleration           sum_k slope_k qdd_k = -bias

#include <span>

#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics {

// Adds the equations of the system's model, motions and then couplings: drives and their rows. Links, seats and link_of
// must be there.
void add_drives(const model::Laws& laws, System& system);

struct DriveRow {
  double residual = 0;  // [rad] or [m]
  double drift = 0;     // what time itself brings
  double bias = 0;
  double slope = 0;  // of a polynomial's second term
};
DriveRow drive_row(const Drive& drive, double time, std::span<const double> q, std::span<const double> v,
                   const LinkArrays& links);
// d residual / d coordinate of term k.
double term_slope(const Drive& drive, const DriveRow& row, std::size_t k);

// The coordinate of a term and its rate. A cut revolute joint has the rate alone: where its position counts it is in
// the tree (run_tree.hpp).
double term_position(const DriveTerm& term, std::span<const double> q, const LinkArrays& links);
double term_velocity(const DriveTerm& term, std::span<const double> v, const LinkArrays& links);
// The wrench on b whose power is the rate of the coordinate; on a acts the opposite. It is carried along by frame A.
math::SpatialVector term_wrench(const DriveTerm& term, const LinkArrays& links);

// Adds, by joint of the model, the wrench on body b with which drives act at cut joints, for the multipliers `lambda`.
void add_drive_wrenches(const System& system, double time, std::span<const double> q, std::span<const double> v,
                        const LinkArrays& links, const Eigen::VectorXd& lambda, std::span<math::SpatialVector> wrench);

}  // namespace espalier::dynamics
