#include "espalier/dynamics/laws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <variant>

#include "espalier/base/elementary.hpp"
#include "espalier/base/index.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/joint_motion.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics {
namespace {

using model::JointType;

double at_or_zero(const std::vector<double>& values, std::size_t k) { return k < values.size() ? values[k] : 0; }

// True if the joint has a spring, damper, friction or limit. A joint between two bodies welded together has no motion.
bool has_law(const System& system, const model::Joint& joint) {
  if (system.seats[joint.a.index()].link == system.seats[joint.b.index()].link) return false;
  const auto any = [](const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), [](double value) { return value != 0; });
  };
  return any(joint.spec.stiffness) || any(joint.spec.damping) || any(joint.spec.friction) || !joint.spec.limits.empty();
}

void set_range(const std::array<double, 2>& limits, double extent, CoordinateLaw& law) {
  law.limited = true;
  law.low = limits[0];
  law.high = limits[1];
  law.limit_onset = extent > 0 ? kLimitOnset * std::min(extent, 1.0) : kLimitOnset;
}

CoordinateLaw coordinate_law(const model::Joint& joint, std::size_t k) {
  const model::JointSpec& spec = joint.spec;
  CoordinateLaw law;
  law.stiffness = at_or_zero(spec.stiffness, k);
  law.damping = at_or_zero(spec.damping, k);
  law.rest = at_or_zero(spec.rest, k);
  law.friction = at_or_zero(spec.friction, k);
  if (k < spec.limits.size()) set_range(spec.limits[k], spec.limits[k][1] - spec.limits[k][0], law);
  return law;
}

// A length is never below zero: there a rope has no limit.
CoordinateLaw length_law(const std::array<double, 2>& limits) {
  CoordinateLaw law;
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  const std::array<double, 2> range = {limits[0] > 0 ? limits[0] : kNone, limits[1]};
  set_range(range, limits[1] > limits[0] ? limits[1] - limits[0] : limits[1], law);
  return law;
}

// x y z come first; a spherical joint has the last three alone.
FrameLaw frame_law(const JointPlace& place, const model::JointSpec& spec) {
  FrameLaw law;
  law.place = place;
  const std::size_t first = place.type == JointType::kFree ? 0 : 3;
  for (std::size_t k = first; k < 6; ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    law.stiffness[row] = at_or_zero(spec.stiffness, k - first);
    law.damping[row] = at_or_zero(spec.damping, k - first);
    law.rest[row] = at_or_zero(spec.rest, k - first);
    law.friction[row] = at_or_zero(spec.friction, k - first);
  }
  return law;
}

void add_joint(const System& system, model::JointId id, Laws& laws) {
  const model::Joint& joint = system.model.joint(id);
  if (!has_law(system, joint)) return;
  const JointPlace place = joint_place(system, id);
  if (joint.type == JointType::kSpherical || joint.type == JointType::kFree) {
    laws.frames.push_back(frame_law(place, joint.spec));
    return;
  }
  JointLaw law;
  law.place = place;
  law.count = model::joint_kind(joint.type).freedom;
  for (std::size_t k = 0; k < to_index(law.count); ++k) law.coordinate[k] = coordinate_law(joint, k);
  laws.joints.push_back(law);
}

struct AddForce {
  const System& system;
  Laws& laws;
  std::vector<int>& load_of;  // by joint: its place in joint_loads, or -1

  const Seat& seat(model::BodyId body) const { return system.seats[body.index()]; }

  void operator()(const model::Spring& spring) const {
    const Seat& a = seat(spring.a);
    const Seat& b = seat(spring.b);
    laws.springs.push_back({a.link, b.link, a.X_LB * spring.point_a, b.X_LB * spring.point_b, spring.stiffness,
                            spring.damping, spring.length, spring.tension,
                            spring.limits ? length_law(*spring.limits) : CoordinateLaw()});
  }

  void operator()(const model::Bushing& bushing) const {
    const Seat& a = seat(bushing.a);
    const Seat& b = seat(bushing.b);
    FrameLaw law;
    law.place.type = JointType::kFree;
    law.place.a = a.link;
    law.place.b = b.link;
    law.place.X_LA = a.X_LB * bushing.X_AF;
    law.place.X_LB = b.X_LB * bushing.X_BM;
    law.stiffness = Eigen::Map<const FrameLaw::Six>(bushing.stiffness.data());
    law.damping = Eigen::Map<const FrameLaw::Six>(bushing.damping.data());
    laws.frames.push_back(law);
  }

  void operator()(const model::Load& load) const {
    if (load.joint.valid()) return add_effort(load);
    const Seat& body = seat(load.body);
    laws.body_loads.push_back({body.link,
                               body.X_LB * load.point,
                               load.torque,
                               load.in_body,
                               body.X_LB.rotation,
                               {load.value[0], load.value[1], load.value[2]}});
  }

  void add_effort(const model::Load& load) const {
    int& place = load_of[load.joint.index()];
    if (place < 0) {
      place = static_cast<int>(laws.joint_loads.size());
      laws.joint_loads.push_back(
          {joint_place(system, load.joint), {}, system.model.joint(load.joint).spec.effort_limit});
    }
    laws.joint_loads[to_index(place)].values.push_back(load.value.front());
  }

  // A prescribed motion is an equation, not a force.
  void operator()(const model::Motion&) const {}
};

// What a coordinate would feel if all bodies of the drawn pose moved along with it, and its drive.
double inertia_of_all(const model::Model& model, const model::Joint& joint, int k, const math::Pose& X_WA,
                      const SpatialVector& wrench) {
  const bool slides = wrench.tail<3>().squaredNorm() > 0;
  const double lead = joint.pitch / (2 * std::numbers::pi);
  const Eigen::Vector3d axis = wrench.head<3>();
  double sum = at_or_zero(joint.spec.armature, to_index(k));
  for (const model::Body& body : model.bodies) {
    const math::Inertia held = math::transformed(body.X_WB, body.inertia);
    sum += slides ? held.mass
                  : axis.dot(held.about_com * axis) +
                        held.mass * (axis.cross(held.com - X_WA.position).squaredNorm() + lead * lead);
  }
  return sum;
}

// The same mechanism without weight, laws and drives.
System bare(System system) {
  system.gravity.setZero();
  system.laws = {};
  system.drives.clear();
  system.rows = 0;
  for (const Closure& closure : system.closures) system.rows += closure.rows;
  return system;
}

// The inertia an effort on a coordinate feels at the drawn pose while all others are free to follow and loops stay
// closed: an effort of one is put on it, and its acceleration measured. At most that of all bodies together: near a
// dead centre loops let the coordinate hardly move.
class SeenInertia {
 public:
  explicit SeenInertia(const System& system)
      : probe_(bare(system)), work_(probe_), still_(to_index(system.velocity_size), 0) {
    update_kinematics(probe_, 0, probe_.drawn, still_, work_);
  }

  double of(const JointPlace& place, int k) {
    const math::Pose X_WA = work_.links.pose[to_index(place.a)] * place.X_LA;
    const math::Pose X_WB = work_.links.pose[to_index(place.b)] * place.X_LB;
    const math::SpatialVector wrench = coordinate_wrenches(place.type, X_WA, X_WB).column.col(k);
    const double most = inertia_of_all(probe_.model, probe_.model.joint(place.joint), k, X_WA, wrench);
    return along(place.a, place.b, wrench, most);
  }

  // Along the line of a spring; where its ends coincide, the largest of three directions.
  double of(const PointSpring& spring) {
    const Eigen::Vector3d point_a = work_.links.pose[to_index(spring.a)] * spring.point_a;
    const Eigen::Vector3d point_b = work_.links.pose[to_index(spring.b)] * spring.point_b;
    double mass = 0;
    for (const model::Body& body : probe_.model.bodies) mass += body.inertia.mass;
    const auto pulled = [&](const Eigen::Vector3d& direction) {
      math::SpatialVector wrench;
      wrench << point_b.cross(direction), direction;
      return along(spring.a, spring.b, wrench, mass);
    };
    const Eigen::Vector3d way = point_b - point_a;
    if (way.norm() > 0) return pulled(way.normalized());
    return std::max(
        {pulled(Eigen::Vector3d::UnitX()), pulled(Eigen::Vector3d::UnitY()), pulled(Eigen::Vector3d::UnitZ())});
  }

 private:
  double along(int link_a, int link_b, const math::SpatialVector& wrench, double most) {
    const auto a = to_index(link_a);
    const auto b = to_index(link_b);
    probe_.callback = [&](double, LinkArrays& links) {
      links.force[b] += wrench;
      links.force[a] -= wrench;
    };
    // Massless parts leave no acceleration; check_laws() tells.
    if (!evaluate(probe_, 0, probe_.drawn, still_, work_)) return 0;
    update_links(probe_, work_);
    const double gain = wrench.dot(work_.links.acceleration[b] - work_.links.acceleration[a]);
    return gain * most < 1 ? most : 1 / gain;
  }

  System probe_;
  Workspace work_;
  std::vector<double> still_;
};

void set_limit(double inertia, CoordinateLaw& law) {
  law.limit_stiffness = inertia * kLimitFrequency * kLimitFrequency;
  law.limit_damping = 2 * kLimitDamping * inertia * kLimitFrequency;
}

void set_limits(const System& system, Laws& laws) {
  const auto any = [](const JointLaw& law) {
    return std::any_of(law.coordinate.begin(), law.coordinate.end(), [](const CoordinateLaw& c) { return c.limited; });
  };
  if (std::none_of(laws.joints.begin(), laws.joints.end(), any) &&
      std::none_of(laws.springs.begin(), laws.springs.end(), [](const PointSpring& s) { return s.range.limited; }))
    return;
  SeenInertia seen(system);
  for (JointLaw& law : laws.joints) {
    for (int k = 0; k < law.count; ++k) {
      CoordinateLaw& coordinate = law.coordinate[to_index(k)];
      if (coordinate.limited) set_limit(seen.of(law.place, k), coordinate);
    }
  }
  for (PointSpring& spring : laws.springs) {
    if (spring.range.limited) set_limit(seen.of(spring), spring.range);
  }
}

// How far a coordinate is past a limit, after the onset; its integral; and how far the damper is in, 0 to 1. All have a
// continuous slope, so that an adaptive integrator meets no corner.
struct Onset {
  double depth, integral, share;
};
Onset onset(double past, double width) {
  if (past >= width) return {past - width / 2, past * past / 2 - past * width / 2 + width * width / 6, 1};
  const double x = past / width;
  return {past * x / 2, past * past * x / 6, x * x * (3 - 2 * x)};
}

// `past` grows into the limit at `rate`; the effort pushes back out and never pulls.
LawValue limit_value(const CoordinateLaw& law, double past, double rate) {
  if (past <= 0) return {};
  const Onset in = onset(past, law.limit_onset);
  const double spring = law.limit_stiffness * in.depth;
  const double effort = std::max(0.0, spring + law.limit_damping * in.share * rate);
  return {effort, law.limit_stiffness * in.integral, (spring - effort) * rate};
}

}  // namespace

double load_effort(const JointLoad& load, double time) {
  double sum = 0;
  for (const model::Expression& value : load.values) sum += model::evaluate(value, time);
  return load.limit ? std::clamp(sum, -*load.limit, *load.limit) : sum;
}

LawValue evaluate_law(const CoordinateLaw& law, double q, double velocity) {
  const double stretch = q - law.rest;
  LawValue value;
  const double lost = law.damping * velocity + law.friction * elementary::tanh(velocity / kFrictionSpeed);
  value.effort = -law.stiffness * stretch - lost;
  value.energy = law.stiffness * stretch * stretch / 2;
  value.power = -lost * velocity;
  if (!law.limited) return value;
  const LawValue low = limit_value(law, law.low - q, -velocity);
  const LawValue high = limit_value(law, q - law.high, velocity);
  value.effort += low.effort - high.effort;
  value.energy += low.energy + high.energy;
  value.power += low.power + high.power;
  return value;
}

JointPlace joint_place(const System& system, model::JointId id) {
  const model::Joint& joint = system.model.joint(id);
  const Seat& a = system.seats[joint.a.index()];
  const Seat& b = system.seats[joint.b.index()];
  JointPlace place{id, joint.type, joint.pitch, a.link, b.link, a.X_LB * joint.X_AF, b.X_LB * joint.X_BM, -1};
  place.link = system.link_of[id.index()];
  if (place.link < 0) return place;
  // One of the bodies may be cut in two: the joint is at the half that the tree says.
  const Link& link = system.links[to_index(place.link)];
  (link.reversed ? place.a : place.b) = place.link;
  (link.reversed ? place.b : place.a) = link.parent;
  return place;
}

Laws make_laws(const System& system) {
  Laws laws;
  for (std::size_t j = 0; j < system.model.joints.size(); ++j) add_joint(system, model::JointId(j), laws);
  std::vector<int> load_of(system.model.joints.size(), -1);
  const AddForce add{system, laws, load_of};
  for (const model::Force& force : system.model.forces) std::visit(add, force.law);
  set_limits(system, laws);
  return laws;
}

}  // namespace espalier::dynamics
