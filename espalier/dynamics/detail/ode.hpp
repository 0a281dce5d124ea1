#pragma once

// The motion as an ordinary differential equation dy/dt = f(t, y) on the closed loops, y = (q, v, w): positions,
// velocities, and the work w that forces without a potential have done. All integrators of the room work on it.

#include <cstdint>
#include <span>
#include <string>

#include <Eigen/Core>

#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

// A state of a run with its slope.
struct Point {
  explicit Point(Eigen::Index size) : y(Eigen::VectorXd::Zero(size)), f(Eigen::VectorXd::Zero(size)) {}

  double time = 0;  // [s]
  Eigen::VectorXd y;
  Eigen::VectorXd f;
};

struct Ode {
  Ode(const System& made_from, double closed_to);

  std::span<double> q(Eigen::VectorXd& y) const { return {y.data(), positions}; }
  std::span<const double> q(const Eigen::VectorXd& y) const { return {y.data(), positions}; }
  std::span<double> v(Eigen::VectorXd& y) const { return {y.data() + positions, velocities}; }
  std::span<const double> v(const Eigen::VectorXd& y) const { return {y.data() + positions, velocities}; }
  Eigen::Index size() const { return static_cast<Eigen::Index>(positions + velocities + 1); }

  const System& system;
  double loop_tolerance;
  std::size_t positions;
  std::size_t velocities;
  Workspace work;
  Eigen::VectorXd motion;   // scratch, by velocity
  Eigen::VectorXd measure;  // by component of y: its error in [rad] or [m] counts as that many
  double energy_scale = 1;  // the error of w counts in parts of this [J]
  std::int64_t evaluations = 0;
  double time = 0;  // of the last derivative() [s]
};

// f(t, y); leaves ode.work evaluated there, without update_links(). Quaternions of any length stand for the rotation in
// their direction. False where a number of f is not finite, or a joint has no inertia to move.
bool derivative(Ode& ode, double time, const Eigen::VectorXd& y, Eigen::VectorXd& f);

// The part of f that needs no evaluation: rates of the positions.
void set_position_rates(const System& system, const Eigen::VectorXd& y, Eigen::VectorXd& f);

// Moves y to the nearest state with unit quaternions, closed loops and velocities that keep them closed. False where
// that is not found. Costs one update of the kinematics where y is there already.
bool close_loops(Ode& ode, double time, Eigen::VectorXd& y);

// The largest component of `error` in units of the tolerance, relative to 1 + |y|; for w to energy_scale + |w|.
double error_norm(const Ode& ode, const Eigen::VectorXd& error, const Eigen::VectorXd& y0, const Eigen::VectorXd& y1,
                  double tolerance);

// The same for the part of the error that closed loops leave free at `to`: near a singular position, what loops take
// away is noise. Costs two projections of velocities.
double free_error_norm(Ode& ode, const Point& to, const Eigen::VectorXd& error, double tolerance);

// A small change of y's positions as a motion, by velocity coordinate.
void as_motion(const System& system, const Eigen::VectorXd& change, const Eigen::VectorXd& y, Eigen::VectorXd& motion);

// Why the last derivative() failed, in words: the first link whose number broke. Empty where none did.
std::string what_broke(const Ode& ode);

// The formula of the model that was no finite number at the last derivative(), in words; empty where all were.
std::string broken_formula(const Ode& ode);

// y between the ends of a step: y0 + s (r1 + (1-s)(r2 + s (r3 + (1-s) r4))), s = (t - start) / step.
struct Interpolant {
  explicit Interpolant(Eigen::Index size);
  // Third order, from the slopes at both ends; r4 = 0.
  void set_ends(double start_time, double step_size, const Eigen::VectorXd& at_start, const Eigen::VectorXd& at_end,
                const Eigen::VectorXd& slope_start, const Eigen::VectorXd& slope_end);
  void at(double time, Eigen::VectorXd& y) const;

  double start = 0;  // [s]
  double step = 0;   // [s]
  Eigen::VectorXd y0, r1, r2, r3, r4;
};

}  // namespace espalier::dynamics::detail
