#include "espalier/dynamics/evaluation.hpp"

#include <Eigen/Geometry>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/forces.hpp"
#include "espalier/dynamics/detail/power.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/detail/workspace_data.hpp"

namespace espalier::dynamics {
namespace {

using detail::Drive;
using detail::law_energy;
using detail::LawEnergy;
using Eigen::Vector3d;
using math::Pose;
using math::SpatialVector;

Vector3d velocity_at(const SpatialVector& velocity, const Vector3d& point) {
  return velocity.tail<3>() + velocity.head<3>().cross(point);
}

std::span<const double> numbers(const Eigen::VectorXd& vector) {
  return {vector.data(), to_index(vector.size())};
}

// Rotors of drives turn with the coordinates alone.
double rotor_energy(const Link& link, std::span<const double> v) {
  double energy = 0;
  for (std::size_t k = 0; k < to_index(link.freedom); ++k) {
    const double rate = v[to_index(link.velocity) + k];
    energy += 0.5 * link.armature[k] * rate * rate;
  }
  return energy;
}

double kinetic_energy(const Link& link, const Pose& X_WL, const SpatialVector& velocity) {
  // At the centre of mass the motion falls apart into a shift and a spin.
  const Vector3d at_com = velocity_at(velocity, X_WL * link.inertia.com);
  const Vector3d spin = X_WL.rotation.conjugate() * velocity.head<3>();
  return 0.5 * (link.inertia.mass * at_com.squaredNorm() + spin.dot(link.inertia.about_com * spin));
}

// Drives that prescribe a motion do work; gears hand on what they get.
double drive_power(const System& system, double time, std::span<const double> lambda) {
  double power = 0;
  for (const Drive& drive : system->drives) {
    const model::Jet wanted = model::evaluate_jet(drive.value, time);
    power += lambda[to_index(drive.row)] * (drive.of_velocity ? wanted.value : wanted.rate);
  }
  return power;
}

// Evaluations without any law leave links.velocity alone, but then no force counts.
double power_of_all(double stored_rate, const System& system, double time, std::span<const double> v,
                    const LinkArrays& links, std::span<const double> effort, std::span<const double> lambda) {
  double power = stored_rate + drive_power(system, time, lambda);
  // Springs are among the outer wrenches; `stored_rate` takes off again what they only move into store or out of it.
  for (std::size_t i = 1; i < system->links.size(); ++i) {
    if (!links.force[i].isZero(0)) power += links.force[i].dot(links.velocity[i]);
  }
  for (std::size_t k = 0; k < v.size(); ++k) power += effort[k] * v[k];
  return power;
}

}  // namespace

Energies energies(const System& system, double time, std::span<const double> q, std::span<const double> v,
                  const Workspace& work) {
  // (D15) along a run; here its rate.
  const LawEnergy laws = law_energy(system, q, v, work->links);
  Energies sum;
  sum.potential = laws.stored;
  sum.power = power_of_all(laws.rate, system, time, v, work->links, numbers(work->effort), numbers(work->lambda));
  for (std::size_t i = 1; i < system->links.size(); ++i) {
    const Link& link = system->links[i];
    sum.kinetic += kinetic_energy(link, work->links.pose[i], work->links.velocity[i]) + rotor_energy(link, v);
    // Zero where the centre of mass is at the world's origin.
    sum.potential -= link.inertia.mass * system->gravity.dot(work->links.pose[i] * link.inertia.com);
  }
  return sum;
}

double exchanged_power(const System& system, double time, std::span<const double> q, std::span<const double> v,
                       const Workspace& work) {
  return detail::exchanged_power(system, time, q, v, work->links, numbers(work->effort), numbers(work->lambda));
}

double detail::exchanged_power(const System& system, double time, std::span<const double> q, std::span<const double> v,
                               const LinkArrays& links, std::span<const double> effort,
                               std::span<const double> lambda) {
  return power_of_all(law_energy(system, q, v, links).rate, system, time, v, links, effort, lambda);
}

}  // namespace espalier::dynamics
