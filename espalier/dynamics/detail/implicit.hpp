#pragma once

// Steps for stiff forces: the Rosenbrock method RODASP of [Hairer96], order 4(3), L-stable and stiffly accurate.
// It solves linear equations alone, with the Jacobian of the step's start:
//   (I / (gamma h) - df/dy) u_i = f(t + c_i h, y + sum_j a_ij u_j) + sum_j c_ij / h u_j + d_i h df/dt
// df/dy by differences of the evaluation, in the n directions of motion and the n velocities. The positions' part is
// solved for by hand, so that one matrix n x n is factorised per step. Accelerations are those of closed loops: stages
// are closed, and the differences are taken along what loops leave free. (D16) of docs/theory/dynamics.md.

#include <array>
#include <optional>
#include <span>

#include <Eigen/Core>
#include <Eigen/LU>

#include "espalier/dynamics/detail/ode_batch.hpp"
#include "espalier/dynamics/detail/runge.hpp"

namespace espalier::dynamics::detail {

// The Jacobian is taken from differences to both sides where the tolerance is below this: one-sided ones are wrong by
// some 1e-8 of it, which would show.
inline constexpr double kBothSidesBelow = 1e-7;

// Four matrices n x n of at most 3.2 GB in all.
inline constexpr int kMostImplicit = 10000;

// Made once for a run; the matrices by make_room() before the first step, because most runs take none.
struct ImplicitStages {
  explicit ImplicitStages(const Ode& ode);
  void make_room(const Ode& ode);

  std::array<Eigen::VectorXd, 6> u;
  OdeBatch batch;           // states a small step aside
  Eigen::VectorXd stage;    // a state, and later the right-hand side
  Eigen::VectorXd by_time;  // df/dt
  // Of the accelerations, and in the last row of the power, by motions and by velocities.
  Eigen::MatrixXd by_motion, by_velocity;
  Eigen::MatrixXd matrix;  // to be factorised
  std::optional<Eigen::PartialPivLU<Eigen::MatrixXd>> lu;
  Eigen::VectorXd motion;     // a change of position as a motion
  Eigen::VectorXd push;       // what drives the velocities
  bool has_jacobian = false;  // at the start of this step: it outlives a step that was refused
};

// Returns the estimated error in units of the tolerance; infinity where a number broke or the loops could not be
// closed. 2n + 7 evaluations (4n + 7 below a tolerance of 1e-7), 6 where the Jacobian is there already, and with loops
// about as many projections. Clear has_jacobian after an accepted step.
double implicit_step(Ode& ode, const Point& from, double h, double tolerance, ImplicitStages& stages, Point& to);
// The continuous extension of that step, 3rd order.
void set_implicit_interpolant(const ImplicitStages& stages, const Point& from, const Point& to, Interpolant& between);

}  // namespace espalier::dynamics::detail
