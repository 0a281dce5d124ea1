#pragma once

// Explicit steps of Runge-Kutta type. A step ends on the closed loops: its end is projected first and its slope taken
// there, so that the slope serves the error estimate, the interpolant and the next step at once.

#include <array>

#include "espalier/dynamics/detail/ode.hpp"

namespace espalier::dynamics::detail {

// Made once for a run.
struct RungeStages {
  explicit RungeStages(Eigen::Index size);

  std::array<Eigen::VectorXd, 6> k;  // slopes of the stages; the last stage is at the end of the step
  Eigen::VectorXd stage;             // the state of the last stage
  Eigen::VectorXd error;
};

// [Dormand80] 5(4). Returns the estimated error in units of the tolerance; infinity where a number broke or the loops
// could not be closed. Six evaluations and one projection.
double runge_step(Ode& ode, const Point& from, double h, double tolerance, RungeStages& stages, Point& to);
// The continuous extension of that step, 4th order.
void set_runge_interpolant(const RungeStages& stages, const Point& from, const Point& to, Interpolant& between);

// The classical method of 4th order. False where a number broke or the loops could not be closed. Four evaluations and
// one projection.
bool fixed_step(Ode& ode, const Point& from, double h, RungeStages& stages, Point& to);

// A first step from the size of y, f and the change of f. [Hairer93] II.4. One evaluation.
double first_step(Ode& ode, const Point& from, double longest, double tolerance, RungeStages& stages);

// Estimate of the largest |eigenvalue| of df/dy by the power method, from the difference of the last two stages.
// kPowerSteps evaluations.
inline constexpr int kPowerSteps = 12;
double spectral_radius(Ode& ode, const Point& at, RungeStages& stages);

}  // namespace espalier::dynamics::detail
