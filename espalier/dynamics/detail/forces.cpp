#include "espalier/dynamics/detail/forces.hpp"

#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/laws.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics::detail {
namespace {

using Eigen::Vector3d;
using math::Pose;
using math::SpatialVector;

Vector3d velocity_at(const SpatialVector& velocity, const Vector3d& point) {
  return velocity.tail<3>() + velocity.head<3>().cross(point);
}

SpatialVector wrench_at(const Vector3d& point, const Vector3d& force, const Vector3d& couple) {
  SpatialVector wrench;
  // About the world's origin, as all wrenches here.
  wrench << couple + point.cross(force), force;
  return wrench;
}

void push_pair(LinkArrays& links, int a, int b, const SpatialVector& on_b) {
  links.force[to_index(b)] += on_b;
  links.force[to_index(a)] -= on_b;
}

// Frames of a joint and how they move.
struct Frames {
  Pose X_WA, X_WB;
  SpatialVector v_a, v_b;
};

Frames frames_of(const JointPlace& place, const LinkArrays& links) {
  const auto a = to_index(place.a);
  const auto b = to_index(place.b);
  return {links.pose[a] * place.X_LA, links.pose[b] * place.X_LB, links.velocity[a], links.velocity[b]};
}

// Where the coordinate k of a tree joint without quaternion stands in q and v: the tree may run against the joint.
int place_in_tree(const Link& link, int k) { return link.reversed ? model::exchanged_coordinate(link.type, k) : k; }
// A planar joint seen from its other body has other coordinates altogether.
bool has_own_coordinates(const JointPlace& place, const System& system) {
  return place.link >= 0 &&
         (!system->links[to_index(place.link)].reversed || model::exchanged_coordinate(place.type, 0) >= 0);
}

// Springs between two points.

struct Pull {
  Vector3d point_a, point_b, along;
  double length = 0, rate = 0;
};

Pull pull_of(const PointSpring& spring, const LinkArrays& links) {
  const auto a = to_index(spring.a);
  const auto b = to_index(spring.b);
  // Points and their distance in the world; the rate is that of the distance alone.
  Pull pull;
  pull.point_a = links.pose[a] * spring.point_a;
  pull.point_b = links.pose[b] * spring.point_b;
  pull.length = (pull.point_b - pull.point_a).norm();
  // At length zero there is no direction to pull in.
  pull.along = pull.length == 0 ? Vector3d::Zero() : Vector3d((pull.point_b - pull.point_a) / pull.length);
  pull.rate =
      pull.along.dot(velocity_at(links.velocity[b], pull.point_b) - velocity_at(links.velocity[a], pull.point_a));
  return pull;
}

double tension_of(const PointSpring& spring, const Pull& pull) {
  const double tension = spring.stiffness * (pull.length - spring.length) + spring.damping * pull.rate + spring.tension;
  // A rope's limit pushes its length back; tension pulls its ends together.
  return spring.range.limited ? tension - evaluate_law(spring.range, pull.length, pull.rate).effort : tension;
}

void add_spring(const PointSpring& spring, LinkArrays& links) {
  const Pull pull = pull_of(spring, links);
  const double tension = tension_of(spring, pull);
  push_pair(links, spring.a, spring.b, wrench_at(pull.point_b, -tension * pull.along, Vector3d::Zero()));
}

// Springs between two frames.

struct FrameValue {
  SpatialVector on_b;
  double energy = 0, rate = 0, power = 0;
};

FrameValue value_of(const FrameLaw& law, const Frames& at) {
  const Pose X_AB = math::relative_pose(at.X_WA, at.X_WB);
  const Vector3d turned = math::rotation_log(X_AB.rotation);
  const Vector3d& point = at.X_WB.position;
  const Eigen::Quaterniond to_a = at.X_WA.rotation.conjugate();
  FrameLaw::Six stretch, rate;
  stretch << X_AB.position, turned;
  stretch -= law.rest;
  // In the axes of A, which turn with body a: both velocities are taken at the origin of B.
  rate << to_a * (velocity_at(at.v_b, point) - velocity_at(at.v_a, point)), to_a * (at.v_b - at.v_a).head<3>();
  // What is stored and what is lost are kept apart: their powers are counted apart.
  const FrameLaw::Six spring = law.stiffness.cwiseProduct(stretch);
  const FrameLaw::Six lost =
      law.damping.cwiseProduct(rate) +
      law.friction.cwiseProduct((rate / kFrictionSpeed).unaryExpr([](double x) { return elementary::tanh(x); }));
  const Vector3d force = -(spring + lost).head<3>();
  // J^T, at -phi, makes the couple the slope of an energy; where all axes are equally stiff J^T phi = phi.
  const Vector3d couple = -math::rotation_vector_rate(-turned) * spring.tail<3>() - lost.tail<3>();
  FrameValue value;
  value.on_b = wrench_at(point, at.X_WA.rotation * force, at.X_WA.rotation * couple);
  value.energy = spring.dot(stretch) / 2;
  value.power = -lost.dot(rate);
  // What is stored grows by the power that goes in less what is lost; on_b is what comes out.
  value.rate = value.power - value.on_b.dot(at.v_b - at.v_a);
  return value;
}

// Laws on joints.

// The coordinates of a joint and their rates, with what is needed to act on them.
struct Coordinates {
  std::array<double, 3> q{}, v{};
};

Coordinates coordinates_of(const JointPlace& place, const Frames& at) {
  Coordinates coordinates;
  const auto size = to_index(model::joint_kind(place.type).freedom);
  model::joint_position(place.type, place.pitch, math::relative_pose(at.X_WA, at.X_WB),
                        std::span(coordinates.q).first(size));
  // Rates are known at a cut joint, whole turns of its angle are not.
  joint_rate(place.type, at.X_WA, at.X_WB, at.v_b - at.v_a, std::span(coordinates.v).first(size));
  return coordinates;
}

Coordinates coordinates_of(const System& system, const JointPlace& place, std::span<const double> q,
                           std::span<const double> v, const LinkArrays& links) {
  if (!has_own_coordinates(place, system)) {
    Coordinates coordinates = coordinates_of(place, frames_of(place, links));
    // The angle of a planar joint keeps its turns when seen from the other body; it only changes its sign.
    if (place.link >= 0) {
      const Link& link = system->links[to_index(place.link)];
      coordinates.q[2] = -q[to_index(link.position + 2)];
    }
    return coordinates;
  }
  Coordinates coordinates;
  const Link& link = system->links[to_index(place.link)];
  for (int k = 0; k < link.freedom; ++k) {
    const int i = place_in_tree(link, k);
    coordinates.q[to_index(k)] = q[to_index(link.position + i)];
    coordinates.v[to_index(k)] = v[to_index(link.velocity + i)];
  }
  return coordinates;
}

// The wrench on b that efforts on the coordinates of a joint are worth.
SpatialVector wrench_of(const JointPlace& place, const Pose& X_WA, const Pose& X_WB, std::span<const double> effort) {
  const Columns wrenches = coordinate_wrenches(place.type, X_WA, X_WB);
  SpatialVector sum = SpatialVector::Zero();
  for (int k = 0; k < wrenches.count; ++k) sum += effort[to_index(k)] * wrenches.column.col(k);
  return sum;
}

// A wrench on b of a joint, and back on a: in the tree the effort it is worth on the joint's coordinates.
void act(const System& system, const JointPlace& place, const SpatialVector& on_b, LinkArrays& links,
         Eigen::Ref<Eigen::VectorXd> effort) {
  if (place.link < 0) return push_pair(links, place.a, place.b, on_b);
  const Link& link = system->links[to_index(place.link)];
  // tau = S^T wrench: the effort that does the same work on the joint's motions.
  const MotionSubspace motion = motion_subspace(link.type, link.pitch, links.pose[to_index(link.parent)] * link.X_LA,
                                                links.pose[to_index(place.link)] * link.X_LB);
  for (int k = 0; k < link.freedom; ++k)
    effort[link.velocity + k] += (link.reversed ? -1 : 1) * motion.s.column.col(k).dot(on_b);
}

void act(const System& system, const JointPlace& place, std::span<const double> on_coordinates, LinkArrays& links,
         Eigen::Ref<Eigen::VectorXd> effort) {
  if (!has_own_coordinates(place, system)) {
    const Frames at = frames_of(place, links);
    return act(system, place, wrench_of(place, at.X_WA, at.X_WB, on_coordinates), links, effort);
  }
  const Link& link = system->links[to_index(place.link)];
  for (int k = 0; k < link.freedom; ++k) effort[link.velocity + place_in_tree(link, k)] += on_coordinates[to_index(k)];
}

std::array<double, 3> efforts_of(const JointLaw& law, const Coordinates& at) {
  std::array<double, 3> effort{};
  for (std::size_t k = 0; k < to_index(law.count); ++k)
    effort[k] = evaluate_law(law.coordinate[k], at.q[k], at.v[k]).effort;
  return effort;
}

// What formulas name, before any of them is evaluated.
void watch(const System& system, std::span<const double> q, std::span<const double> v, LinkArrays& links) {
  for (std::size_t i = 0; i < system->laws.watched.size(); ++i) {
    const Watched& watched = system->laws.watched[i];
    const Coordinates at = coordinates_of(system, watched.place, q, v, links);
    links.watched[i] = (watched.is_rate ? at.v : at.q)[to_index(watched.coordinate)];
  }
}

void add_body_load(const BodyLoad& load, double time, LinkArrays& links) {
  const Pose& X_WL = links.pose[to_index(load.link)];
  Vector3d value(model::evaluate(load.value[0], time, links.watched),
                 model::evaluate(load.value[1], time, links.watched),
                 model::evaluate(load.value[2], time, links.watched));
  // Axes of the body, whose link may have others.
  if (load.in_body) value = X_WL.rotation * (load.axes * value);
  const Vector3d none = Vector3d::Zero();
  links.force[to_index(load.link)] +=
      load.torque ? wrench_at(none, none, value) : wrench_at(X_WL * load.point, value, none);
}

}  // namespace

void add_forces(const System& system, double time, std::span<const double> q, std::span<const double> v,
                LinkArrays& links, Eigen::Ref<Eigen::VectorXd> effort) {
  const Laws& laws = system->laws;
  watch(system, q, v, links);
  for (const PointSpring& spring : laws.springs) add_spring(spring, links);
  for (const FrameLaw& law : laws.frames) {
    const SpatialVector on_b = value_of(law, frames_of(law.place, links)).on_b;
    act(system, law.place, on_b, links, effort);
  }
  for (const JointLaw& law : laws.joints)
    act(system, law.place, efforts_of(law, coordinates_of(system, law.place, q, v, links)), links, effort);
  for (const JointLoad& load : laws.joint_loads) {
    const double value = model::evaluate(load.effort, time, links.watched);
    act(system, load.place, std::span(&value, 1), links, effort);
  }
  for (const BodyLoad& load : laws.body_loads) add_body_load(load, time, links);
  if (system->callback) system->callback(time, links);
}

double spring_tension(const PointSpring& spring, const LinkArrays& links) {
  return tension_of(spring, pull_of(spring, links));
}

SpatialVector frame_wrench(const FrameLaw& law, const LinkArrays& links) {
  return value_of(law, frames_of(law.place, links)).on_b;
}

std::array<double, 3> joint_efforts(const System& system, const JointLaw& law, std::span<const double> q,
                                    std::span<const double> v, const LinkArrays& links) {
  return efforts_of(law, coordinates_of(system, law.place, q, v, links));
}

LawEnergy law_energy(const System& system, std::span<const double> q, std::span<const double> v,
                     const LinkArrays& links) {
  // (D15): stored energy belongs to the potential, power to the work that is exchanged.
  LawEnergy energy;
  for (const PointSpring& spring : system->laws.springs) {
    const Pull pull = pull_of(spring, links);
    // A constant tension stores energy like a weight on a string.
    const double stretch = pull.length - spring.length;
    energy.stored += spring.stiffness * stretch * stretch / 2 + spring.tension * pull.length;
    energy.rate += (spring.stiffness * stretch + spring.tension) * pull.rate;
    energy.power -= spring.damping * pull.rate * pull.rate;
    if (!spring.range.limited) continue;
    const LawValue range = evaluate_law(spring.range, pull.length, pull.rate);
    energy.stored += range.energy;
    energy.rate += range.power - range.effort * pull.rate;
    energy.power += range.power;
  }
  for (const FrameLaw& law : system->laws.frames) {
    const FrameValue value = value_of(law, frames_of(law.place, links));
    energy.stored += value.energy;
    energy.rate += value.rate;
    energy.power += value.power;
  }
  for (const JointLaw& law : system->laws.joints) {
    const Coordinates at = coordinates_of(system, law.place, q, v, links);
    for (std::size_t k = 0; k < to_index(law.count); ++k) {
      const LawValue value = evaluate_law(law.coordinate[k], at.q[k], at.v[k]);
      energy.stored += value.energy;
      energy.rate += value.power - value.effort * at.v[k];
      energy.power += value.power;
    }
  }
  return energy;
}

void add_cut_wrenches(const System& system, double time, const LinkArrays& links,
                      std::span<math::SpatialVector> wrench) {
  for (const FrameLaw& law : system->laws.frames) {
    if (law.place.link >= 0 || !law.place.joint.valid()) continue;
    wrench[law.place.joint.index()] += value_of(law, frames_of(law.place, links)).on_b;
  }
  for (const JointLaw& law : system->laws.joints) {
    if (law.place.link >= 0) continue;
    const Frames at = frames_of(law.place, links);
    wrench[law.place.joint.index()] +=
        wrench_of(law.place, at.X_WA, at.X_WB, efforts_of(law, coordinates_of(law.place, at)));
  }
  for (const JointLoad& load : system->laws.joint_loads) {
    if (load.place.link >= 0) continue;
    const Frames at = frames_of(load.place, links);
    const double value = model::evaluate(load.effort, time, links.watched);
    wrench[load.place.joint.index()] += wrench_of(load.place, at.X_WA, at.X_WB, std::span(&value, 1));
  }
}

}  // namespace espalier::dynamics::detail
