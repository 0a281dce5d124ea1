#include "espalier/dynamics/forces.hpp"

#include <variant>

#include <Eigen/Geometry>

#include "espalier/math/rotation.hpp"

namespace espalier::dynamics {
namespace {

using Eigen::Vector3d;
using math::Pose;
using math::SpatialVector;
using model::JointType;

// A body's pose and velocity, and where its wrenches go.
struct Held {
  Pose X_WB;
  SpatialVector velocity;
  SpatialVector* force;
};

Held held(const System& system, model::BodyId body, LinkArrays& links) {
  const Seat& seat = system.seats[body.index()];
  const auto link = static_cast<std::size_t>(seat.link);
  return {links.pose[link] * seat.X_LB, links.velocity[link], &links.force[link]};
}

Vector3d velocity_at(const SpatialVector& velocity, const Vector3d& point) {
  return velocity.tail<3>() + velocity.head<3>().cross(point);
}

void push(const Held& body, const Vector3d& force, const Vector3d& point, const Vector3d& couple = Vector3d::Zero()) {
  body.force->head<3>() += couple + point.cross(force);
  body.force->tail<3>() += force;
}

class Laws {
 public:
  Laws(const System& system, double time, LinkArrays& links) : system_(system), time_(time), links_(links) {}

  void operator()(const model::Spring& spring) const {
    const Held a = held(system_, spring.a, links_);
    const Held b = held(system_, spring.b, links_);
    const Vector3d pa = a.X_WB * spring.point_a;
    const Vector3d pb = b.X_WB * spring.point_b;
    const double length = (pb - pa).norm();
    // At length zero there is no direction to pull in.
    if (length == 0) return;
    const Vector3d along = (pb - pa) / length;
    const double rate = along.dot(velocity_at(b.velocity, pb) - velocity_at(a.velocity, pa));
    const double tension = spring.stiffness * (length - spring.length) + spring.damping * rate + spring.tension;
    push(a, tension * along, pa);
    push(b, -tension * along, pb);
  }

  void operator()(const model::Bushing& bushing) const {
    const Held a = held(system_, bushing.a, links_);
    const Held b = held(system_, bushing.b, links_);
    const Pose X_WF = a.X_WB * bushing.X_AF;
    const Pose X_WM = b.X_WB * bushing.X_BM;
    const Pose X_FM = math::relative_pose(X_WF, X_WM);
    const Vector3d turned = math::rotation_log(X_FM.rotation);
    const Vector3d point = X_WM.position;
    const Vector3d rate = X_WF.rotation.conjugate() * (velocity_at(b.velocity, point) - velocity_at(a.velocity, point));
    const Vector3d spin = X_WF.rotation.conjugate() * (b.velocity.head<3>() - a.velocity.head<3>());
    Vector3d force, couple;
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(k);
      force[k] = -bushing.stiffness[i] * X_FM.position[k] - bushing.damping[i] * rate[k];
      couple[k] = -bushing.stiffness[i + 3] * turned[k] - bushing.damping[i + 3] * spin[k];
    }
    push(b, X_WF.rotation * force, point, X_WF.rotation * couple);
    push(a, -(X_WF.rotation * force), point, -(X_WF.rotation * couple));
  }

  void operator()(const model::Load& load) const {
    if (load.joint.valid()) {
      push_joint(system_.model.joint(load.joint), model::evaluate(load.value.front(), time_));
      return;
    }
    const Held body = held(system_, load.body, links_);
    Vector3d value(model::evaluate(load.value[0], time_), model::evaluate(load.value[1], time_),
                   model::evaluate(load.value[2], time_));
    if (load.in_body) value = body.X_WB.rotation * value;
    const Vector3d point = body.X_WB * load.point;
    push(body, load.torque ? Vector3d::Zero() : value, point, load.torque ? value : Vector3d::Zero());
  }

  // A prescribed motion is an equation, not a force.
  void operator()(const model::Motion&) const {}

 private:
  void push_joint(const model::Joint& joint, double effort) const {
    const Held a = held(system_, joint.a, links_);
    const Held b = held(system_, joint.b, links_);
    const Pose X_WF = a.X_WB * joint.X_AF;
    const Vector3d along = effort * (X_WF.rotation * Vector3d::UnitZ());
    const bool slides = joint.type == JointType::kPrismatic;
    push(b, slides ? along : Vector3d::Zero(), X_WF.position, slides ? Vector3d::Zero() : along);
    push(a, slides ? Vector3d(-along) : Vector3d::Zero(), X_WF.position, slides ? Vector3d::Zero() : Vector3d(-along));
  }

  const System& system_;
  double time_;
  LinkArrays& links_;
};

}  // namespace

void add_forces(const System& system, double time, LinkArrays& links) {
  const Laws laws(system, time, links);
  for (const model::Force& force : system.model.forces) std::visit(laws, force.law);
}

}  // namespace espalier::dynamics
