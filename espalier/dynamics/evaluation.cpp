#include "espalier/dynamics/evaluation.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "espalier/dynamics/forces.hpp"

namespace espalier::dynamics {
namespace {

constexpr double kRankTolerance = 1e-6;

double largest(const Eigen::VectorXd& values) { return values.size() == 0 ? 0 : values.cwiseAbs().maxCoeff(); }

// The smallest change in the mass metric with G change = wanted.
Eigen::VectorXd smallest_change(const System& system, const Eigen::VectorXd& wanted, DenseWorkspace& dense) {
  std::fill(dense.links.force.begin(), dense.links.force.end(), SpatialVector::Zero());
  dense.gamma = -wanted;
  dense.bias.setZero();
  update_mass_matrix(system, dense);
  solve_accelerations(system, dense.bias, kRankTolerance, dense);
  return dense.qdd;
}

}  // namespace

Workspace::Workspace(const System& system)
    : links(system),
      effort(Eigen::VectorXd::Zero(system.velocity_size)),
      qdd(Eigen::VectorXd::Zero(system.velocity_size)),
      residual(Eigen::VectorXd::Zero(system.rows)),
      rate(Eigen::VectorXd::Zero(system.rows)),
      lambda(Eigen::VectorXd::Zero(system.rows)),
      dense(system) {}

void update_kinematics(const System& system, double time, std::span<const double> q, std::span<const double> v,
                       Workspace& work) {
  update_kinematics(system, time, q, v, work.dense);
  work.links.pose = work.dense.links.pose;
  work.links.velocity = work.dense.links.velocity;
  work.residual = work.dense.residual;
  work.rate = work.dense.rate;
}

void evaluate(const System& system, double time, std::span<const double> q, std::span<const double> v,
              Workspace& work) {
  update_kinematics(system, time, q, v, work);
  std::fill(work.links.force.begin(), work.links.force.end(), SpatialVector::Zero());
  work.effort.setZero();
  add_forces(system, time, q, v, work.links, work.effort);
  work.dense.links.force = work.links.force;
  update_bias(system, work.dense);
  update_mass_matrix(system, work.dense);
  solve_accelerations(system, work.effort, kRankTolerance, work.dense);
  work.links.acceleration = work.dense.links.acceleration;
  work.qdd = work.dense.qdd;
  work.lambda = work.dense.lambda;
  work.rank = work.dense.rank;
}

double project_positions(const System& system, double time, std::span<double> q, double tolerance, Workspace& work) {
  constexpr int kSteps = 20;
  const std::vector<double> still(static_cast<std::size_t>(system.velocity_size), 0);
  for (int step = 0; step < kSteps; ++step) {
    update_kinematics(system, time, q, still, work);
    if (!(largest(work.residual) > tolerance)) break;
    const Eigen::VectorXd change = smallest_change(system, -work.residual, work.dense);
    move_positions(system, q, {change.data(), static_cast<std::size_t>(change.size())}, 1);
  }
  return largest(work.residual);
}

double project_velocities(const System& system, double time, std::span<const double> q, std::span<double> v,
                          Workspace& work) {
  update_kinematics(system, time, q, v, work);
  const Eigen::VectorXd change = smallest_change(system, -work.rate, work.dense);
  for (std::size_t k = 0; k < v.size(); ++k) v[k] += change[static_cast<Eigen::Index>(k)];
  update_kinematics(system, time, q, v, work);
  return largest(work.rate);
}

void move_positions(const System& system, std::span<double> q, std::span<const double> v, double h) {
  for (const Link& link : system.links) {
    if (link.freedom == 0) continue;
    const std::span<double> position = q.subspan(static_cast<std::size_t>(link.position));
    const std::span<const double> velocity = v.subspan(static_cast<std::size_t>(link.velocity));
    const bool turns = link.type == model::JointType::kSpherical || link.type == model::JointType::kFree;
    const std::size_t plain = static_cast<std::size_t>(turns ? link.freedom - 3 : link.freedom);
    for (std::size_t k = 0; k < plain; ++k) position[k] += h * velocity[k];
    if (!turns) continue;
    const Eigen::Vector3d w(velocity[plain], velocity[plain + 1], velocity[plain + 2]);
    const double angle = h * w.norm();
    const Eigen::Vector3d half = (angle < 1e-8 ? h / 2 : std::sin(angle / 2) / w.norm()) * w;
    const Eigen::Quaterniond old(position[plain], position[plain + 1], position[plain + 2], position[plain + 3]);
    const Eigen::Quaterniond turned =
        (old * Eigen::Quaterniond(std::cos(angle / 2), half.x(), half.y(), half.z())).normalized();
    position[plain] = turned.w(), position[plain + 1] = turned.x();
    position[plain + 2] = turned.y(), position[plain + 3] = turned.z();
  }
}

}  // namespace espalier::dynamics
