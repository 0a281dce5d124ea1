#pragma once

// Equations on coordinates: prescribed motions, gears, mimic joints, polynomial couplings. They follow the closures'
// rows. For a drive with terms k:
//   residual               0 where it holds; always 0 for a prescribed velocity, which asks nothing of positions
//   d residual / dt        sum_k slope_k qd_k + drift
//   acceleration           sum_k slope_k qdd_k = -bias

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/dynamics/detail/joint_place.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/model/model.hpp"

namespace espalier::dynamics::detail {

// One equation on coordinates of joints that have one (revolute, prismatic, screw):
//   sum_k ratio_k q_k = offset + value(t)      a gear or mimic (several terms), a prescribed position (one term)
//   sum_k ratio_k qd_k = value(t)              a prescribed velocity: `of_velocity`
//   q_0 = sum_k polynomial_k q_1^k             where `polynomial` is not empty
// A term acts as a pair of wrenches, on b and back on a, along z of frame A, whether its joint is in the tree or cut.
struct DriveTerm {
  JointPlace place;
  bool slides = false;  // prismatic: a force along z; else a couple about z
  int position = -1;    // of the coordinate in q; -1: the joint is cut
  int velocity = -1;    // of its rate in v; -1: the joint is cut
  double ratio = 1;
};
struct Drive {
  std::vector<DriveTerm> terms;
  std::vector<double> polynomial;
  double offset = 0;
  model::Expression value;
  bool of_velocity = false;
  int row = 0;  // its equation
};

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

}  // namespace espalier::dynamics::detail
