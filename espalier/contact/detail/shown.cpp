#include "espalier/contact/detail/shown.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <Eigen/Geometry>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/gather_lists.hpp"
#include "espalier/contact/detail/joints.hpp"
#include "espalier/contact/detail/step.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;
using Force = ShownParts::Force;

// The impulse of the row of a link.
struct LinkImpulse {
  std::int32_t number = 0;
  double impulse = 0;
};

// The bodies that links hold, on the root and by id.
std::vector<SteppedBody> gather_bodies(const comm::Comm& comm, const Domain& domain) {
  std::vector<SteppedBody> mine;
  const std::vector<std::int32_t>& ids = domain.shown_bodies;
  for (std::size_t i = 0; i < domain.bodies.size(); ++i) {
    const LocalBody& local = domain.bodies[i];
    // What stands is the same wherever it is held, and its owner need not hold it.
    const bool speaks = local.owner == comm.rank() || is_obstacle(local);
    if (!speaks || !std::binary_search(ids.begin(), ids.end(), static_cast<std::int32_t>(local.body.id))) continue;
    mine.push_back({local.body, state_before(domain, i)});
  }
  std::vector<SteppedBody> all = gather_lists(comm, std::move(mine));
  const auto id = [](const SteppedBody& stepped) { return stepped.body.id; };
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return id(a) < id(b); });
  // Obstacles come from every rank that holds them.
  all.erase(std::unique(all.begin(), all.end(), [&](const auto& a, const auto& b) { return id(a) == id(b); }),
            all.end());
  return all;
}

// Of the rows of the last step, on the root and by number.
std::vector<LinkImpulse> gather_impulses(const comm::Comm& comm, const Domain& domain) {
  std::vector<LinkImpulse> mine;
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    const Constraint& constraint = domain.constraints[c];
    const bool of_law = constraint.law == Law::kSpring || constraint.law == Law::kLink;
    if (domain.internal[c] == 0 || !of_law) continue;
    // A link has two numbers, one for its lengths and one for its turns.
    mine.push_back({static_cast<std::int32_t>((constraint.key.part - kJoint) / 2), constraint.R[2]});
  }
  std::vector<LinkImpulse> all = gather_lists(comm, std::move(mine));
  std::sort(all.begin(), all.end(), [](const LinkImpulse& a, const LinkImpulse& b) { return a.number < b.number; });
  return all;
}

// Makes the numbers of one frame.
class Maker {
 public:
  Maker(const Domain& domain, std::vector<SteppedBody> bodies, std::vector<LinkImpulse> impulses)
      : domain_(domain), bodies_(std::move(bodies)), impulses_(std::move(impulses)) {}

  ShownNumbers make() {
    // First the places of all numbers, then what acts on them: laws add to joints that stand behind them.
    for (const Link& joint : domain_.shown.joints) add_joint(joint);
    loads_.resize(domain_.shown.joints.size());
    shown_.joint_drive.resize(shown_.joint_velocity.size());
    shown_.joint_passive.resize(shown_.joint_velocity.size());
    for (const Force& force : domain_.shown.forces) {
      first_force_.push_back(shown_.force.size());
      shown_.force.resize(shown_.force.size() + to_index(force.size));
    }
    for (const ShownParts::Law& law : domain_.shown.laws) {
      const LinkEffort effort =
          effort_of_link(domain_, law.link, body(law.link.a), body(law.link.b), impulse_of(law.link));
      law.joint >= 0 ? add_to_joint(law, effort) : add_to_force(law, effort);
    }
    // Last: what a motion takes is what laws and loads leave of a joint's effort.
    for (std::size_t f = 0; f < domain_.shown.forces.size(); ++f) add_given(f);
    return std::move(shown_);
  }

 private:
  const SteppedBody& body(std::int32_t id) const {
    const auto found =
        std::lower_bound(bodies_.begin(), bodies_.end(), id,
                         [](const SteppedBody& stepped, std::int32_t value) { return stepped.body.id < value; });
    ESPALIER_CHECK(found != bodies_.end() && found->body.id == id, "a joined body is on no rank");
    return *found;
  }

  std::optional<double> impulse_of(const Link& link) const {
    const auto found =
        std::lower_bound(impulses_.begin(), impulses_.end(), link.number,
                         [](const LinkImpulse& one, std::int32_t number) { return one.number < number; });
    if (domain_.steps == 0 || found == impulses_.end() || found->number != link.number) return std::nullopt;
    return found->impulse;
  }

  // A body as it was in this state; what is asked of mid step is answered by it.
  static Body in_state(const SteppedBody& stepped, const BodyState& state) {
    Body body = stepped.body;
    body.state = state;
    body.q_mid = state.q;
    return body;
  }

  // The f velocities, as joints on a tree have them: turns about axes of the frame they are carried along by.
  static void add_rates(const Link& joint, const Body& a, const Body& b, std::vector<double>& rates) {
    const LinkFrames frames = frames_of_link(joint, a, b);
    const Vector3d spin = spin_of(b) - spin_of(a);
    // Both at the point of b that stands there: seen from a it is a material point too.
    const Vector3d slide = velocity(b, b.state.u, Vector3d(joint.on_b.data())) -
                           velocity(a, a.state.u, material_point(a, frames.M.position));
    for (const model::CoordinateMotion& motion : model::joint_row(joint.type).motions) {
      const Vector3d axis =
          (motion.of_m ? frames.M : frames.F).rotation * Vector3d::Unit(model::axis_of(motion.direction));
      rates.push_back(axis.dot(is_length(motion.direction) ? slide : spin));
    }
  }

  void add_joint(const Link& joint) {
    const SteppedBody& a = body(joint.a);
    const SteppedBody& b = body(joint.b);
    const Body end_a = in_state(a, a.body.state), end_b = in_state(b, b.body.state);
    const std::size_t first = shown_.joint_velocity.size();
    first_effort_.push_back(first);
    const LinkFrames frames = frames_of_link(joint, end_a, end_b);
    const std::vector<double> position =
        model::joint_position(joint.type, joint.pitch, math::relative_pose(frames.F, frames.M));
    shown_.joint_position.insert(shown_.joint_position.end(), position.begin(), position.end());
    add_rates(joint, end_a, end_b, shown_.joint_velocity);
    std::vector<double> before;
    // Velocities jump in a step of Moreau's: what their difference is per time is all that can be said.
    add_rates(joint, in_state(a, a.before), in_state(b, b.before), before);
    for (std::size_t k = 0; k < before.size(); ++k) {
      shown_.joint_acceleration.push_back((shown_.joint_velocity[first + k] - before[k]) / domain_.settings.step);
    }
  }

  void add_to_joint(const ShownParts::Law& law, const LinkEffort& effort) {
    const Link& link = law.link;
    const std::size_t first = first_effort_[to_index(law.joint)];
    const int quaternion = model::joint_row(link.type).quaternion;
    if (quaternion < 0 || link.coordinate < quaternion) {
      const std::size_t place = first + to_index(link.coordinate);
      shown_.joint_drive[place] += effort.load + effort.motion;
      shown_.joint_passive[place] += effort.passive;
      loads_[to_index(law.joint)] = effort.load;
      return;
    }
    // A couple about an axis of F, which does work on all three turns about axes of M.
    const LinkFrames frames = frames_of_link(link, body(link.a).body, body(link.b).body);
    for (int k = 0; k < 3; ++k) {
      shown_.joint_passive[first + to_index(quaternion + k)] +=
          effort.passive * effort.axis.dot(frames.M.rotation * Vector3d::Unit(k));
    }
  }

  void add_to_force(const ShownParts::Law& law, const LinkEffort& effort) {
    double* to = shown_.force.data() + first_force_[to_index(law.force)];
    if (law.link.kind == Link::Kind::kSpring) {
      // An effort for growing lengths pushes the ends apart.
      *to = -effort.passive;
      return;
    }
    const LinkFrames frames = frames_of_link(law.link, body(law.link.a).body, body(law.link.b).body);
    const Vector3d along = effort.passive * (frames.F.rotation.conjugate() * effort.axis);
    const std::size_t part = law.link.coordinate < 3 ? 0 : 3;
    for (std::size_t k = 0; k < 3; ++k) to[part + k] += along[static_cast<Eigen::Index>(k)];
  }

  double formula(std::int32_t which) const {
    // Where the step took it: in its middle.
    const double time = domain_.steps > 0 ? domain_.time - domain_.settings.step / 2 : domain_.time;
    return model::evaluate(domain_.formulas[to_index(which)], time, domain_.inputs);
  }

  // Loads and motions, whose laws are part of others.
  void add_given(std::size_t number) {
    const Force& force = domain_.shown.forces[number];
    double* to = shown_.force.data() + first_force_[number];
    if (force.kind == Force::Kind::kMotion) {
      *to = shown_.joint_drive[first_effort_[to_index(force.owner)]] - loads_[to_index(force.owner)];
    } else if (force.kind == Force::Kind::kOnJoint) {
      // The only one answers to the step as its joint's law does.
      *to = force.is_only ? loads_[to_index(force.owner)] : formula(force.value[0]);
    } else if (force.kind == Force::Kind::kOnBody) {
      Vector3d value(formula(force.value[0]), formula(force.value[1]), formula(force.value[2]));
      // In the axes of the world, as all forces of a frame.
      if (force.in_body) value = mid_pose(body(force.owner).body).rotation * value;
      std::copy(value.begin(), value.end(), to);
    }
  }

  const Domain& domain_;
  std::vector<SteppedBody> bodies_;
  std::vector<LinkImpulse> impulses_;
  ShownNumbers shown_;
  std::vector<std::size_t> first_effort_, first_force_;  // by joint, by force
  std::vector<double> loads_;                            // by joint: all loads on it together
};

}  // namespace

ShownNumbers show_parts(const comm::Comm& comm, const Domain& domain) {
  // The same on all ranks: nobody waits for bodies that nobody sends.
  if (domain.shown_bodies.empty()) return {};
  std::vector<SteppedBody> bodies = gather_bodies(comm, domain);
  std::vector<LinkImpulse> impulses = gather_impulses(comm, domain);
  if (!comm.is_root()) return {};
  return Maker(domain, std::move(bodies), std::move(impulses)).make();
}

}  // namespace espalier::contact::detail
