#pragma once

// One evaluation of a System at a state with dense matrices: the second method beside evaluation.hpp, and the source
// of mass matrix, Jacobian and rank. Steps S1 and S2 of [Liu99].
//   S1  update_kinematics  poses, motion columns and velocities from the root outwards
//       bias_forces, mass_matrix  from the tips to the root
//   S2  accelerations  H qdd - G^T lambda = tau - bias, G qdd = -gamma, with H n x n and G m x n dense
// World axes about the world's origin throughout.

#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

// What an evaluation computes and needs again; made once for a System.
struct DenseWorkspace {
  explicit DenseWorkspace(const System& system);

  LinkArrays links;                          // acceleration: with qdd = 0 and without gravity after update_kinematics,
                                             // true after solve_accelerations; force: to be filled before update_bias
  std::vector<MotionSubspace> motion;        // by link
  std::vector<math::SpatialMatrix> inertia;  // by link, about the world's origin
  std::vector<SpatialVector> gain;           // by link: the part of its acceleration that qdd brings
  Eigen::MatrixXd H;                         // mass matrix
  Eigen::MatrixXd G;                         // constraint Jacobian
  Eigen::VectorXd bias;                      // Coriolis, gravity and outer wrenches, by coordinate
  Eigen::VectorXd gamma;                     // by row
  Eigen::VectorXd residual;                  // by row [m or rad]
  Eigen::VectorXd drift;                     // by row: the part of d residual / dt that time itself brings
  Eigen::VectorXd rate;                      // by row: d residual / dt = G v + drift
  Eigen::VectorXd qdd;
  Eigen::VectorXd lambda;  // by row: the wrench on b is T lambda
  int rank = 0;            // of G, weighted by the inverse mass
};

// Poses, columns, velocities, velocity-dependent accelerations; residual, rate, G and gamma of closures and
// drives. Clears `force`.
void update_kinematics(const System& system, double time, std::span<const double> q, std::span<const double> v,
                       DenseWorkspace& work);

// work.bias.
void update_bias(const System& system, DenseWorkspace& work);
// work.H, by composite inertias, with the armature of drives on the diagonal.
void update_mass_matrix(const System& system, DenseWorkspace& work);

// work.qdd, lambda, rank and the true acceleration of every link (gravity is no acceleration here). Rows whose relative
// part in the mass metric is below `tolerance` repeat others: accelerations stay unique, of the multipliers the
// smallest are taken.
void solve_accelerations(const System& system, const Eigen::VectorXd& effort, double tolerance, DenseWorkspace& work);

}  // namespace espalier::dynamics::detail
