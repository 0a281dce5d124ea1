#pragma once

// What robot programs ask of a mechanism at one state: inverse dynamics, mass matrix, Jacobians, centre of mass,
// momentum. By methods of their own, which share nothing with the kernel of evaluation.hpp but the table of joints.
//   In:     System, q and v of the tree
//   Out:    efforts, matrices and sums by value or into the caller's memory
//   Units   m, rad, kg, s, N, J
//   Frames  spatial vectors are [angular; linear] in world axes about the world's origin
//   Cost    O(n); matrices are made anew at each call, the mass matrix in O(n depth)
//
//   TreeWorkspace work(system);
//   update_tree(system, q, v, work);
//   inverse_dynamics(system, qdd, work, tau);

#include <memory>
#include <span>

#include <Eigen/Core>

#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics {

namespace detail {
struct TreeData;
}

// What update_tree computes. Used with the System that it was made for, by one thread at a time. O(links) memory.
class TreeWorkspace {
 public:
  explicit TreeWorkspace(const System& system);
  TreeWorkspace(TreeWorkspace&& other) noexcept;
  TreeWorkspace& operator=(TreeWorkspace&& other) noexcept;
  ~TreeWorkspace();

  // Poses and velocities of the links; acceleration: with qdd = 0 and without gravity; force means nothing.
  const LinkArrays& links() const;

  // What the files of this room work on: detail/tree_data.hpp.
  const detail::TreeData* operator->() const { return data_.get(); }
  detail::TreeData* operator->() { return data_.get(); }

 private:
  std::unique_ptr<detail::TreeData> data_;
};

// Poses, velocities and motion columns of all links. O(links).
void update_tree(const System& system, std::span<const double> q, std::span<const double> v, TreeWorkspace& work);

// The efforts on the coordinates that move the tree with accelerations qdd against gravity, inertia and armature:
// tau = H qdd + bias, by the recursive Newton-Euler method, O(links), without H. `outer`: wrenches on the links from
// outside, about the world's origin; empty for none. Closed loops push besides: tau = efforts + G^T lambda.
void inverse_dynamics(const System& system, std::span<const double> qdd, TreeWorkspace& work,
                      Eigen::Ref<Eigen::VectorXd> tau, std::span<const SpatialVector> outer = {});
// The same for qdd = 0: Coriolis and centrifugal efforts and weight.
void bias_efforts(const System& system, TreeWorkspace& work, Eigen::Ref<Eigen::VectorXd> tau,
                  std::span<const SpatialVector> outer = {});

// H at q, with armature on its diagonal: n x n, O(n depth) to fill.
Eigen::MatrixXd mass_matrix(const System& system, std::span<const double> q);
// G at q: one row an equation of cut joints and drives. d residual / dt = G v + what time itself brings.
Eigen::MatrixXd constraint_jacobian(const System& system, double time, std::span<const double> q);
// J v = [angular velocity of the body; velocity of its point `p_B`, given in the body's frame]: 6 x n.
Eigen::MatrixXd body_jacobian(const System& system, const TreeWorkspace& work, model::BodyId body,
                              const Eigen::Vector3d& p_B);

struct MassCentre {
  double mass = 0;                                             // of all bodies [kg]
  Eigen::Vector3d position = Eigen::Vector3d::Zero();          // of their centre [m]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();          // of their centre [m/s]
  Eigen::Vector3d momentum = Eigen::Vector3d::Zero();          // [kg m/s]
  Eigen::Vector3d angular_momentum = Eigen::Vector3d::Zero();  // about the centre [kg m^2/s]
};
// Of all bodies but the ground, after update_tree. O(bodies).
MassCentre mass_centre(const System& system, const TreeWorkspace& work);

// With the armature of drives, after update_tree [J].
double kinetic_energy(const System& system, std::span<const double> v, const TreeWorkspace& work);
// Of gravity (0 where the centre of mass is at the world's origin), springs and limits [J].
double potential_energy(const System& system, std::span<const double> q, const TreeWorkspace& work);

}  // namespace espalier::dynamics
