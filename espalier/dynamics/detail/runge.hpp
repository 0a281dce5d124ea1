#pragma once

// Explicit steps of Runge-Kutta type. A step ends on the closed loops: its end is projected first and its slope taken
// there, so that the slope serves the error estimate, the interpolant and the next step at once.

#include <array>
#include <span>

#include "espalier/dynamics/detail/ode.hpp"
#include "espalier/dynamics/detail/ode_batch.hpp"

namespace espalier::dynamics::detail {

// Made once for a run.
struct RungeStages {
  explicit RungeStages(Eigen::Index size);

  std::array<Eigen::VectorXd, 6> k;  // slopes of the stages; the last stage is at the end of the step
  Eigen::VectorXd stage;             // the state of the last stage
  Eigen::VectorXd error;
};

// An explicit method by its coefficients.
struct Tableau {
  std::size_t stages;
  bool has_error;  // kError of [Dormand80] belongs to it
  std::array<double, 6> time;
  std::array<std::array<double, 5>, 6> stage;  // a zero stands for no summand
  std::array<double, 6> weight;
};
extern const Tableau kDormand;    // [Dormand80] 5(4): six evaluations and one projection a step
extern const Tableau kClassical;  // of 4th order: four evaluations and one projection

// A step to be tried from `from` to `to`, and the memory for it.
struct Step {
  Ode* ode = nullptr;
  const Point* from = nullptr;
  double h = 0;  // [s]
  double tolerance = 0;
  RungeStages* stages = nullptr;
  Point* to = nullptr;
};

// Returns the estimated error in units of the tolerance, 0 for a method that estimates none; infinity where a number
// broke or the loops could not be closed. Leaves the memory of the evaluation at the end of the step.
double explicit_step(const Tableau& method, const Step& step);
// Several steps at once, their evaluations in lanes; all with the same rows left out. The same numbers and counts as
// one by one; of the memory of the evaluation poses, velocities and residuals alone.
void explicit_steps(const Tableau& method, std::span<const Step> steps, OdeBatch& batch, std::span<double> errors);
// The continuous extension of that step, 4th order.
void set_runge_interpolant(const RungeStages& stages, const Point& from, const Point& to, Interpolant& between);

// A first step from the size of y, f and the change of f. [Hairer93] II.4. One evaluation.
double first_step(Ode& ode, const Point& from, double longest, double tolerance, RungeStages& stages);

// Estimate of the largest |eigenvalue| of df/dy by the power method, from the difference of the last two stages.
// kPowerSteps evaluations.
inline constexpr int kPowerSteps = 12;
double spectral_radius(Ode& ode, const Point& at, RungeStages& stages);

}  // namespace espalier::dynamics::detail
