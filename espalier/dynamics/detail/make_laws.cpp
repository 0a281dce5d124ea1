#include "espalier/dynamics/detail/make_laws.hpp"

#include <algorithm>
#include <array>
#include <numbers>
#include <variant>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/joint_state.hpp"
#include "espalier/dynamics/detail/laws.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/detail/workspace_data.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics::detail {
namespace {

using model::JointType;

void set_range(const std::array<double, 2>& limits, double extent, CoordinateLaw& law) {
  law.limited = true;
  law.low = limits[0];
  law.high = limits[1];
  // A limit that sets in at once would be a kink, at which integrators stumble.
  law.limit_onset = extent > 0 ? kLimitOnset * std::min(extent, 1.0) : kLimitOnset;
}

CoordinateLaw coordinate_law(const model::CoordinateLaw& resolved) {
  CoordinateLaw law;
  law.stiffness = resolved.stiffness;
  law.damping = resolved.damping;
  law.rest = resolved.rest;
  law.friction = resolved.friction;
  if (resolved.limits) set_range(*resolved.limits, (*resolved.limits)[1] - (*resolved.limits)[0], law);
  return law;
}

// The limit of a rope sets in over a part of its whole length.
CoordinateLaw length_law(const model::Spring& spring) {
  CoordinateLaw law;
  const auto range = model::length_range(spring);
  if (!range) return law;
  const auto& [low, high] = *spring.limits;
  set_range(*range, high > low ? high - low : high, law);
  return law;
}

// x y z come first; a spherical joint has the last three alone.
FrameLaw frame_law(const JointPlace& place, const std::vector<model::CoordinateLaw>& coordinates) {
  FrameLaw law;
  law.place = place;
  const std::size_t first = 6 - coordinates.size();
  for (std::size_t k = first; k < 6; ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    const model::CoordinateLaw& own = coordinates[k - first];
    law.stiffness[row] = own.stiffness;
    law.damping[row] = own.damping;
    law.rest[row] = own.rest;
    law.friction[row] = own.friction;
  }
  return law;
}

// Armature is inertia of the link and no force.
bool pushes(const model::CoordinateLaw& law) {
  return law.stiffness != 0 || law.damping != 0 || law.friction != 0 || law.limits.has_value();
}

void add_joint(const System& system, model::JointId id, const std::vector<model::CoordinateLaw>& coordinates,
               Laws& laws) {
  const model::Joint& joint = system->model.joint(id);
  // A joint between two bodies welded together has no motion.
  if (system->body_places[joint.a.index()].link == system->body_places[joint.b.index()].link) return;
  if (std::none_of(coordinates.begin(), coordinates.end(), pushes)) return;
  const JointPlace place = joint_place(system, id);
  // A rotation vector is one law in three directions, not three laws.
  if (model::joint_row(joint.type).quaternion >= 0) {
    laws.frames.push_back(frame_law(place, coordinates));
    return;
  }
  JointLaw law;
  law.place = place;
  law.count = static_cast<int>(coordinates.size());
  std::transform(coordinates.begin(), coordinates.end(), law.coordinate.begin(), coordinate_law);
  laws.joints.push_back(law);
}

struct AddForce {
  const System& system;
  Laws& laws;

  const BodyPlace& body_place(model::BodyId body) const { return system->body_places[body.index()]; }

  void operator()(const model::Spring& spring) const {
    const BodyPlace& a = body_place(spring.a);
    const BodyPlace& b = body_place(spring.b);
    laws.springs.push_back({a.link, b.link, a.X_LB * spring.point_a, b.X_LB * spring.point_b, spring.stiffness,
                            spring.damping, spring.length, spring.tension, length_law(spring)});
  }

  void operator()(const model::Bushing& bushing) const {
    const BodyPlace& a = body_place(bushing.a);
    const BodyPlace& b = body_place(bushing.b);
    FrameLaw law;
    law.place.type = JointType::kFree;
    law.place.a = a.link;
    law.place.b = b.link;
    // Frames of bodies become frames of links, so that nothing looks for bodies while it runs.
    law.place.X_LA = a.X_LB * bushing.X_AF;
    law.place.X_LB = b.X_LB * bushing.X_BM;
    law.stiffness = Eigen::Map<const FrameLaw::Six>(bushing.stiffness.data());
    law.damping = Eigen::Map<const FrameLaw::Six>(bushing.damping.data());
    laws.frames.push_back(law);
  }

  void operator()(const model::Load& load) const {
    if (load.joint.valid()) return;  // part of an effort
    const BodyPlace& body = body_place(load.body);
    laws.body_loads.push_back({body.link,
                               body.X_LB * load.point,
                               load.torque,
                               load.in_body,
                               body.X_LB.rotation,
                               {load.value[0], load.value[1], load.value[2]}});
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
  const std::vector<double>& armature = joint.spec.armature;
  // The drive's own inertia moves along whatever the bodies do.
  double sum = to_index(k) < armature.size() ? armature[to_index(k)] : 0;
  for (const model::Body& body : model.bodies) {
    // About the axis by the theorem of Steiner; a screw slides by its lead as well.
    const math::Inertia held = math::transformed(body.X_WB, body.inertia);
    sum += slides ? held.mass
                  : axis.dot(held.about_com * axis) +
                        held.mass * (axis.cross(held.com - X_WA.position).squaredNorm() + lead * lead);
  }
  return sum;
}

// The same mechanism without weight, laws and drives.
System bare(System system) {
  system->gravity.setZero();
  system->laws = {};
  system->drives.clear();
  system->rows = 0;
  for (const Closure& closure : system->closures) system->rows += closure.rows;
  return system;
}

// The inertia an effort on a coordinate feels at the drawn pose while all others are free to follow and loops stay
// closed: an effort of one is put on it, and its acceleration measured. At most that of all bodies together: near a
// dead centre loops let the coordinate hardly move.
class SeenInertia {
 public:
  explicit SeenInertia(const System& system)
      : probe_(bare(system)), work_(probe_), still_(to_index(system->velocity_size), 0) {
    update_kinematics(probe_, 0, probe_->drawn, still_, work_);
  }

  double of(const JointPlace& place, int k) {
    const math::Pose X_WA = work_->links.pose[to_index(place.a)] * place.X_LA;
    const math::Pose X_WB = work_->links.pose[to_index(place.b)] * place.X_LB;
    const math::SpatialVector wrench = coordinate_wrenches(place.type, X_WA, X_WB).column.col(k);
    const double most = inertia_of_all(probe_->model, probe_->model.joint(place.joint), k, X_WA, wrench);
    return along(place.a, place.b, wrench, most);
  }

  // Along the line of a spring; where its ends coincide, the largest of three directions.
  double of(const PointSpring& spring) {
    const Eigen::Vector3d point_a = work_->links.pose[to_index(spring.a)] * spring.point_a;
    const Eigen::Vector3d point_b = work_->links.pose[to_index(spring.b)] * spring.point_b;
    double mass = 0;
    for (const model::Body& body : probe_->model.bodies) mass += body.inertia.mass;
    const auto pulled = [&](const Eigen::Vector3d& direction) {
      math::SpatialVector wrench;
      wrench << point_b.cross(direction), direction;
      return along(spring.a, spring.b, wrench, mass);
    };
    // The drawn line, along which its limits will pull first.
    const Eigen::Vector3d way = point_b - point_a;
    if (way.norm() > 0) return pulled(way.normalized());
    return std::max(
        {pulled(Eigen::Vector3d::UnitX()), pulled(Eigen::Vector3d::UnitY()), pulled(Eigen::Vector3d::UnitZ())});
  }

 private:
  double along(int link_a, int link_b, const math::SpatialVector& wrench, double most) {
    const auto a = to_index(link_a);
    const auto b = to_index(link_b);
    probe_->callback = [&](double, LinkArrays& links) {
      // An effort of 1, as a pair of wrenches on both bodies: the same in the tree and on a cut joint.
      links.force[b] += wrench;
      links.force[a] -= wrench;
    };
    // Massless parts leave no acceleration; check_laws() tells.
    if (!evaluate(probe_, 0, probe_->drawn, still_, work_)) return 0;
    update_links(probe_, work_);
    const double gain = wrench.dot(work_->links.acceleration[b] - work_->links.acceleration[a]);
    // Also where the loops hold it and nothing moves at all.
    return gain * most < 1 ? most : 1 / gain;
  }

  System probe_;
  Workspace work_;
  std::vector<double> still_;
};

void set_limit(double inertia, CoordinateLaw& law) {
  // k = J w^2 and c = 2 zeta J w: every limit is equally fast, whatever it stops.
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
  // One evaluation per limit, and none where nothing is limited.
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

}  // namespace

Laws make_laws(const System& system, const model::Laws& resolved) {
  Laws laws;
  for (std::size_t j = 0; j < resolved.joints.size(); ++j)
    add_joint(system, model::JointId(j), resolved.joints[j].coordinates, laws);
  for (const model::Effort& effort : resolved.efforts)
    laws.joint_loads.push_back({joint_place(system, effort.joint), effort});
  for (const model::Watched& watched : system->model.watched)
    laws.watched.push_back({joint_place(system, watched.joint), watched.coordinate, watched.is_rate});
  const AddForce add{system, laws};
  for (const model::Force& force : system->model.forces) std::visit(add, force.law);
  set_limits(system, laws);
  return laws;
}

}  // namespace espalier::dynamics::detail
