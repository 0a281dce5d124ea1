#include "espalier/dynamics/energies.hpp"

#include <cmath>
#include <variant>

#include <Eigen/Geometry>

#include "espalier/math/rotation.hpp"

namespace espalier::dynamics {
namespace {

using Eigen::Vector3d;
using math::Pose;
using math::SpatialVector;

// A potential and its rate along the motion.
struct Stored {
  double energy = 0;  // [J]
  double rate = 0;    // [W]

  Stored operator+(const Stored& other) const { return {energy + other.energy, rate + other.rate}; }
};

Pose body_pose(const System& system, model::BodyId body, const LinkArrays& links) {
  const Seat& seat = system.seats[body.index()];
  return links.pose[static_cast<std::size_t>(seat.link)] * seat.X_LB;
}

const SpatialVector& body_velocity(const System& system, model::BodyId body, const LinkArrays& links) {
  return links.velocity[static_cast<std::size_t>(system.seats[body.index()].link)];
}

Vector3d velocity_at(const SpatialVector& velocity, const Vector3d& point) {
  return velocity.tail<3>() + velocity.head<3>().cross(point);
}

// The rate of a rotation vector whose rotation turns by `spin`, both in the axes it starts from.
Vector3d rotation_vector_rate(const Vector3d& vector, const Vector3d& spin) {
  const double angle = vector.norm();
  const double factor = angle < 1e-3 ? 1.0 / 12 + angle * angle / 720
                                     : 1 / (angle * angle) - (1 + std::cos(angle)) / (2 * angle * std::sin(angle));
  return spin - 0.5 * vector.cross(spin) + factor * vector.cross(vector.cross(spin));
}

Stored stored_in(const model::Spring& spring, const System& system, const LinkArrays& links) {
  const Vector3d pa = body_pose(system, spring.a, links) * spring.point_a;
  const Vector3d pb = body_pose(system, spring.b, links) * spring.point_b;
  const double length = (pb - pa).norm();
  const double stretch = length - spring.length;
  const double energy = 0.5 * spring.stiffness * stretch * stretch + spring.tension * length;
  if (length == 0) return {energy, 0};
  const Vector3d relative =
      velocity_at(body_velocity(system, spring.b, links), pb) - velocity_at(body_velocity(system, spring.a, links), pa);
  return {energy, (spring.stiffness * stretch + spring.tension) * (pb - pa).dot(relative) / length};
}

// The rate is that of the energy, not minus the power of the elastic couple: with different stiffnesses about the three
// axes the couple has no potential, and what it does beyond this one counts as exchanged.
Stored stored_in(const model::Bushing& bushing, const System& system, const LinkArrays& links) {
  const Pose X_WF = body_pose(system, bushing.a, links) * bushing.X_AF;
  const Pose X_WM = body_pose(system, bushing.b, links) * bushing.X_BM;
  const Pose X_FM = math::relative_pose(X_WF, X_WM);
  const SpatialVector relative = body_velocity(system, bushing.b, links) - body_velocity(system, bushing.a, links);
  const Vector3d shift_rate = X_WF.rotation.conjugate() * velocity_at(relative, X_WM.position);
  const Vector3d turn = math::rotation_log(X_FM.rotation);
  const Vector3d turn_rate = rotation_vector_rate(turn, X_WF.rotation.conjugate() * relative.head<3>());
  Stored sum;
  for (int k = 0; k < 3; ++k) {
    const double shift_stiffness = bushing.stiffness[static_cast<std::size_t>(k)];
    const double turn_stiffness = bushing.stiffness[static_cast<std::size_t>(k) + 3];
    sum.energy +=
        0.5 * shift_stiffness * X_FM.position[k] * X_FM.position[k] + 0.5 * turn_stiffness * turn[k] * turn[k];
    sum.rate += shift_stiffness * X_FM.position[k] * shift_rate[k] + turn_stiffness * turn[k] * turn_rate[k];
  }
  return sum;
}

Stored stored_in(const model::Load&, const System&, const LinkArrays&) { return {}; }
Stored stored_in(const model::Motion&, const System&, const LinkArrays&) { return {}; }

Stored stored_in_springs(const System& system, const LinkArrays& links) {
  Stored sum;
  for (const model::Force& force : system.model.forces) {
    sum = sum + std::visit([&](const auto& law) { return stored_in(law, system, links); }, force.law);
  }
  return sum;
}

double kinetic_energy(const Link& link, const Pose& X_WL, const SpatialVector& velocity) {
  const Vector3d at_com = velocity_at(velocity, X_WL * link.inertia.com);
  const Vector3d spin = X_WL.rotation.conjugate() * velocity.head<3>();
  return 0.5 * (link.inertia.mass * at_com.squaredNorm() + spin.dot(link.inertia.about_com * spin));
}

// Drives that prescribe a motion do work; gears hand on what they get.
double drive_power(const System& system, double time, const Workspace& work) {
  double power = 0;
  for (const Drive& drive : system.drives) {
    const model::Jet wanted = model::evaluate_jet(drive.value, time);
    power += work.lambda[drive.row] * (drive.of_velocity ? wanted.value : wanted.rate);
  }
  return power;
}

double power_without(double stored_rate, const System& system, double time, std::span<const double> v,
                     const Workspace& work) {
  double power = stored_rate + drive_power(system, time, work);
  for (std::size_t i = 1; i < system.links.size(); ++i) power += work.links.force[i].dot(work.links.velocity[i]);
  for (std::size_t k = 0; k < v.size(); ++k) power += work.effort[static_cast<Eigen::Index>(k)] * v[k];
  return power;
}

}  // namespace

Energies energies(const System& system, double time, std::span<const double>, std::span<const double> v,
                  const Workspace& work) {
  const Stored stored = stored_in_springs(system, work.links);
  Energies sum;
  sum.potential = stored.energy;
  sum.power = power_without(stored.rate, system, time, v, work);
  for (std::size_t i = 1; i < system.links.size(); ++i) {
    const Link& link = system.links[i];
    sum.kinetic += kinetic_energy(link, work.links.pose[i], work.links.velocity[i]);
    sum.potential -= link.inertia.mass * system.gravity.dot(work.links.pose[i] * link.inertia.com);
  }
  return sum;
}

double exchanged_power(const System& system, double time, std::span<const double>, std::span<const double> v,
                       const Workspace& work) {
  if (system.model.forces.empty()) return drive_power(system, time, work);
  return power_without(stored_in_springs(system, work.links).rate, system, time, v, work);
}

}  // namespace espalier::dynamics
