#pragma once

// One evaluation of a System at a state: accelerations, multipliers, and how far loops are from closed. S1 and S2 of
// [Liu99]. World axes; spatial vectors about the world's origin.

#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/dynamics/dense.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics {

// What an evaluation computes and needs again; made once for a System. One thread at a time uses it.
struct Workspace {
  explicit Workspace(const System& system);

  LinkArrays links;  // acceleration and force: after evaluate
  // By coordinate.
  Eigen::VectorXd effort;  // of springs, drives, friction on single coordinates, after evaluate
  Eigen::VectorXd qdd;     // after evaluate
  // By row.
  Eigen::VectorXd residual;  // how far from closed [m or rad]
  Eigen::VectorXd rate;      // d residual / dt
  Eigen::VectorXd lambda;    // multipliers, after evaluate: the wrench on b is T lambda
  int rank = 0;              // independent rows, after evaluate

  DenseWorkspace dense;
};

// links.pose, links.velocity, residual, rate.
void update_kinematics(const System& system, double time, std::span<const double> q, std::span<const double> v,
                       Workspace& work);

// All of Workspace. Redundant rows are tolerated: accelerations stay unique, the multipliers are then one choice.
void evaluate(const System& system, double time, std::span<const double> q, std::span<const double> v, Workspace& work);

// Moves q by the smallest change, measured in the mass metric, that closes all loops (Newton, quadratic). Returns the
// largest residual left. The multi-turn angles of joints stay what they are.
double project_positions(const System& system, double time, std::span<double> q, double tolerance, Workspace& work);
// Changes v by the smallest momentum that makes all rates vanish. q must be closed. Returns the largest rate left.
double project_velocities(const System& system, double time, std::span<const double> q, std::span<double> v,
                          Workspace& work);

// q moved along the velocities v for the time h: exact for constant v of each joint, quaternions stay of length one.
void move_positions(const System& system, std::span<double> q, std::span<const double> v, double h);

}  // namespace espalier::dynamics
