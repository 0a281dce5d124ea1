#include "espalier/dynamics/robotics.hpp"

#include <algorithm>

#include <Eigen/Geometry>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/dense.hpp"
#include "espalier/dynamics/detail/forces.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/detail/tree_data.hpp"
#include "espalier/dynamics/detail/tree_pass.hpp"

namespace espalier::dynamics {
namespace {

using detail::DenseWorkspace;
using detail::law_energy;
using detail::update_mass_matrix;
using Eigen::Vector3d;

// I a of a body: moment about the world's origin and force, without the 6x6 matrix.
SpatialVector times_inertia(const math::Pose& X_WL, const math::Inertia& inertia, const SpatialVector& a) {
  const Vector3d com = X_WL * inertia.com;
  const Vector3d force = inertia.mass * (a.tail<3>() + a.head<3>().cross(com));
  const Vector3d turn = X_WL.rotation * (inertia.about_com * (X_WL.rotation.conjugate() * a.head<3>()));
  SpatialVector product;
  product << turn + com.cross(force), force;
  return product;
}

// The root side first; `qdd` empty for zero. `gain` is the part of a link's acceleration that qdd and gravity bring.
void gather_link_forces(const System& system, std::span<const double> qdd, TreeWorkspace& work,
                        std::span<const SpatialVector> outer) {
  std::vector<SpatialVector>& gain = work->gain;
  std::vector<SpatialVector>& force = work->links.force;
  // A world that falls upwards: no body needs its own weight.
  gain[0] << Vector3d::Zero(), -system->gravity;
  for (std::size_t i = 1; i < system->links.size(); ++i) {
    const Link& link = system->links[i];
    gain[i] = gain[to_index(link.parent)];
    if (!qdd.empty()) {
      for (int k = 0; k < link.freedom; ++k)
        gain[i] += work->motion[i].s.column.col(k) * qdd[to_index(link.velocity + k)];
    }
    const SpatialVector& v = work->links.velocity[i];
    const math::Pose& X_WL = work->links.pose[i];
    force[i] = times_inertia(X_WL, link.inertia, work->links.acceleration[i] + gain[i]) +
               math::cross_force(v, times_inertia(X_WL, link.inertia, v));
    // What the outside brings is not left for the joint.
    if (!outer.empty()) force[i] -= outer[i];
  }
}

math::Pose body_pose(const System& system, const TreeWorkspace& work, std::size_t body) {
  const BodyPlace& body_place = system->body_places[body];
  return work->links.pose[to_index(body_place.link)] * body_place.X_LB;
}

}  // namespace

detail::TreeData::TreeData(const System& system)
    : links(system), motion(system->links.size()), gain(system->links.size(), SpatialVector::Zero()) {}

TreeWorkspace::TreeWorkspace(const System& system) : data_(std::make_unique<detail::TreeData>(system)) {}
TreeWorkspace::TreeWorkspace(TreeWorkspace&& other) noexcept = default;
TreeWorkspace& TreeWorkspace::operator=(TreeWorkspace&& other) noexcept = default;
TreeWorkspace::~TreeWorkspace() = default;

const LinkArrays& TreeWorkspace::links() const { return data_->links; }

void update_tree(const System& system, std::span<const double> q, std::span<const double> v, TreeWorkspace& work) {
  for (std::size_t i = 1; i < system->links.size(); ++i)
    detail::pass_to_link(system, static_cast<int>(i), q, v, work->links, work->motion[i]);
}

// The recursive Newton-Euler method (D12), without H:
//   1  outwards: the acceleration of every link by qdd and gravity, and the wrench that this takes
//   2  inwards: each joint's share of it along S, the rest goes on to the parent
void inverse_dynamics(const System& system, std::span<const double> qdd, TreeWorkspace& work,
                      Eigen::Ref<Eigen::VectorXd> tau, std::span<const SpatialVector> outer) {
  // 1
  gather_link_forces(system, qdd, work, outer);
  // 2
  for (std::size_t i = system->links.size() - 1; i > 0; --i) {
    const Link& link = system->links[i];
    for (int k = 0; k < link.freedom; ++k) {
      tau[link.velocity + k] = work->motion[i].s.column.col(k).dot(work->links.force[i]);
      // A rotor turns with its coordinate alone and has no part in the links' wrenches.
      if (!qdd.empty()) tau[link.velocity + k] += link.armature[to_index(k)] * qdd[to_index(link.velocity + k)];
    }
    work->links.force[to_index(link.parent)] += work->links.force[i];
  }
}

void bias_efforts(const System& system, TreeWorkspace& work, Eigen::Ref<Eigen::VectorXd> tau,
                  std::span<const SpatialVector> outer) {
  inverse_dynamics(system, {}, work, tau, outer);
}

Eigen::MatrixXd mass_matrix(const System& system, std::span<const double> q) {
  DenseWorkspace dense(system);
  const std::vector<double> still(to_index(system->velocity_size), 0);
  update_kinematics(system, 0, q, still, dense);
  update_mass_matrix(system, dense);
  return dense.H;
}

Eigen::MatrixXd constraint_jacobian(const System& system, double time, std::span<const double> q) {
  DenseWorkspace dense(system);
  const std::vector<double> still(to_index(system->velocity_size), 0);
  update_kinematics(system, time, q, still, dense);
  return dense.G;
}

Eigen::MatrixXd body_jacobian(const System& system, const TreeWorkspace& work, model::BodyId body,
                              const Eigen::Vector3d& p_B) {
  Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(6, system->velocity_size);
  const Vector3d point = body_pose(system, work, body.index()) * p_B;
  // A body moves by the joints between it and the world, and by no other.
  for (int i = system->body_places[body.index()].link; i > 0; i = system->links[to_index(i)].parent) {
    const Link& link = system->links[to_index(i)];
    for (int k = 0; k < link.freedom; ++k) {
      const SpatialVector s = work->motion[to_index(i)].s.column.col(k);
      // Angular rows first; the linear ones are of the point, not of the world's origin.
      jacobian.col(link.velocity + k) << s.head<3>(), s.tail<3>() + s.head<3>().cross(point);
    }
  }
  return jacobian;
}

MassCentre mass_centre(const System& system, const TreeWorkspace& work) {
  SpatialVector momentum = SpatialVector::Zero();
  MassCentre centre;
  for (std::size_t b = 1; b < system->model.bodies.size(); ++b) {
    const model::Body& body = system->model.bodies[b];
    const math::Pose X_WB = body_pose(system, work, b);
    centre.mass += body.inertia.mass;
    centre.position += body.inertia.mass * (X_WB * body.inertia.com);
    // I v is momentum as I a is force: angular about the world's origin, then linear.
    momentum += times_inertia(X_WB, body.inertia, work->links.velocity[to_index(system->body_places[b].link)]);
  }
  centre.momentum = momentum.tail<3>();
  if (centre.mass > 0) {
    centre.position /= centre.mass;
    centre.velocity = centre.momentum / centre.mass;
  }
  // Moved from the world's origin to the centre.
  centre.angular_momentum = momentum.head<3>() - centre.position.cross(centre.momentum);
  return centre;
}

double kinetic_energy(const System& system, std::span<const double> v, const TreeWorkspace& work) {
  double energy = 0;
  for (std::size_t i = 1; i < system->links.size(); ++i) {
    const Link& link = system->links[i];
    const SpatialVector& velocity = work->links.velocity[i];
    energy += velocity.dot(times_inertia(work->links.pose[i], link.inertia, velocity)) / 2;
    for (int k = 0; k < link.freedom; ++k) {
      const double rate = v[to_index(link.velocity + k)];
      energy += link.armature[to_index(k)] * rate * rate / 2;
    }
  }
  return energy;
}

double potential_energy(const System& system, std::span<const double> q, const TreeWorkspace& work) {
  const std::vector<double> still(to_index(system->velocity_size), 0);
  const MassCentre centre = mass_centre(system, work);
  return law_energy(system, q, still, work->links).stored - centre.mass * system->gravity.dot(centre.position);
}

}  // namespace espalier::dynamics
