#pragma once

// The smooth problems along a path, (C22) to (C26) of docs/theory/contact.md: their laws at a point (R, s), linear
// systems with their derivative, and how far it is from one point to another.

#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/contact/detail/block_lu.hpp"
#include "espalier/contact/detail/smooth_law.hpp"
#include "espalier/contact/local_problem.hpp"

namespace espalier::contact::detail {

using Vectors = std::vector<Eigen::Vector3d>;

class PathSystem {
 public:
  PathSystem(const LocalProblem& problem, double tolerance, std::span<const Eigen::Vector3d> R);

  int rows() const { return static_cast<int>(weights_.size()); }
  int factorisations() const { return factorisations_; }
  // Mean of |R|^2 / weight of all rows at the start [J].
  double energy() const { return energy_; }

  // Laws and derivatives at R and s; the sum of |C|^2 / weight [J], which is to be small against rows x s.
  double linearise(std::span<const Eigen::Vector3d> R, double s);
  // The derivative dC/dR there; false where elimination fails.
  bool factorise();
  // (dC/dR)^-1 of C, and of dC/d(log s).
  void solve_residual(Vectors& x);
  void solve_slope(double s, Vectors& x);
  // The sign of det dC/dR.
  int orientation() const;

  // From here on distances are measured at this point, and weights balanced there; linearise() comes first.
  void measure_at(std::span<const Eigen::Vector3d> R, double s);
  double dot(const Vectors& x, const Vectors& y) const;  // mean over all rows
  double largest(const Vectors& x) const;                // of one row, squared

 private:
  void yield_least(std::span<const Eigen::Vector3d> R);

  const LocalProblem& problem_;
  double energy_ = 0;
  double allowed_ = 0;          // what yielding may add to all velocities in the end [m/s]
  double least_yielding_ = 0;   // (C25) [-]
  std::vector<double> weight_;  // 3 / trace of W_ii
  std::vector<double> uneven_;  // what a row yields by on the way, against the mean
  std::vector<Weights> weights_;
  std::vector<Linearised> laws_;
  std::vector<double> room_;  // (C26): how far a row's R can move [J kg]
  std::vector<Eigen::Matrix3d> blocks_;
  Vectors scratch_;
  BlockLu lu_;
  int factorisations_ = 0;
};

}  // namespace espalier::contact::detail
