#include "espalier/dynamics/detail/frames.hpp"

#include <algorithm>

#include <Eigen/Geometry>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/joint_state.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/detail/workspace_data.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::dynamics::detail {
namespace {

using Eigen::Vector3d;
using math::Pose;

std::size_t position_numbers(const model::Model& model) {
  std::size_t count = 0;
  for (const model::Joint& joint : model.joints) count += to_index(model::joint_kind(joint.type).position_size);
  return count;
}

std::size_t velocity_numbers(const model::Model& model) {
  std::size_t count = 0;
  for (const model::Joint& joint : model.joints) count += to_index(model::joint_kind(joint.type).freedom);
  return count;
}

void put(const Vector3d& first, const Vector3d& second, std::size_t index, std::vector<double>& numbers) {
  std::copy(first.begin(), first.end(), numbers.begin() + static_cast<std::ptrdiff_t>(6 * index));
  std::copy(second.begin(), second.end(), numbers.begin() + static_cast<std::ptrdiff_t>(6 * index + 3));
}

void fill_body(const System& system, std::size_t body, const LinkArrays& links, FrameArrays& arrays) {
  const BodyPlace& body_place = system->body_places[body];
  const auto link = to_index(body_place.link);
  const Pose X_WB = links.pose[link] * body_place.X_LB;
  // Of both quaternions of a rotation always the same one, so that files can be compared.
  const Eigen::Quaterniond turned = math::canonical(X_WB.rotation);
  double* pose = arrays.body_pose.data() + 7 * body;
  Eigen::Map<Vector3d>{pose} = X_WB.position;
  pose[3] = turned.w(), pose[4] = turned.x(), pose[5] = turned.y(), pose[6] = turned.z();
  // Spatial velocities are those of the point at the world's origin; files give the body's own.
  const Vector3d w = links.velocity[link].head<3>();
  const Vector3d alpha = links.acceleration[link].head<3>();
  const Vector3d velocity = links.velocity[link].tail<3>() + w.cross(X_WB.position);
  // Of the body's own point; the spatial acceleration belongs to whatever point passes the world's origin.
  const Vector3d acceleration = links.acceleration[link].tail<3>() + alpha.cross(X_WB.position) + w.cross(velocity);
  put(velocity, w, body, arrays.body_velocity);
  put(acceleration, alpha, body, arrays.body_acceleration);
}

// Cut joints from the motion of their bodies; those in the tree then from q and v, which know whole turns.
void fill_joints(const System& system, std::span<const double> q, std::span<const double> v, const LinkArrays& links,
                 FrameArrays& arrays) {
  std::span<double> positions = arrays.joint_position;
  std::span<double> velocities = arrays.joint_velocity;
  for (std::size_t j = 0; j < system->model.joints.size(); ++j) {
    const model::JointKind& kind = model::joint_kind(system->model.joints[j].type);
    const std::span<double> position = positions.first(to_index(kind.position_size));
    const std::span<double> velocity = velocities.first(to_index(kind.freedom));
    if (system->link_of[j] >= 0) {
      // The tree counts whole turns.
      joint_state(system->links[to_index(system->link_of[j])], q, v, position, velocity);
    } else {
      joint_state(system, model::JointId(j), links, position, velocity);
    }
    positions = positions.subspan(position.size());
    velocities = velocities.subspan(velocity.size());
  }
}

// Joints of the tree from its own accelerations, others from those of their bodies.
void fill_joint_accelerations(const System& system, const Workspace& work, FrameArrays& arrays) {
  const LinkArrays& links = work->links;
  std::span<double> accelerations = arrays.joint_acceleration;
  for (std::size_t j = 0; j < system->model.joints.size(); ++j) {
    const model::JointKind& kind = model::joint_kind(system->model.joints[j].type);
    const std::span<double> acceleration = accelerations.first(to_index(kind.freedom));
    accelerations = accelerations.subspan(acceleration.size());
    if (kind.freedom == 0) continue;
    const Link* link = system->link_of[j] < 0 ? nullptr : &system->links[to_index(system->link_of[j])];
    // Seen from its other body a joint may have other velocities altogether.
    if (link != nullptr && (!link->reversed || model::exchanged_coordinate(kind.type, 0) >= 0)) {
      for (int k = 0; k < kind.freedom; ++k) {
        const int in_tree = link->reversed ? model::exchanged_coordinate(kind.type, k) : k;
        acceleration[to_index(k)] = work->qdd[link->velocity + in_tree];
      }
      continue;
    }
    const JointPlace place = joint_place(system, model::JointId(j));
    const auto a = to_index(place.a);
    const auto b = to_index(place.b);
    joint_rate_slope(place.type, links.pose[a] * place.X_LA, links.pose[b] * place.X_LB, links.velocity[a],
                     links.velocity[b], links.acceleration[b] - links.acceleration[a], acceleration);
  }
}

// From the world's origin to that of frame F.
void fill_reactions(const System& system, const LinkArrays& links, FrameArrays& arrays) {
  for (std::size_t j = 0; j < system->model.joints.size(); ++j) {
    const model::Joint& joint = system->model.joints[j];
    const BodyPlace& body_place = system->body_places[joint.a.index()];
    const Vector3d point = links.pose[to_index(body_place.link)] * (body_place.X_LB * joint.X_AF.position);
    const math::SpatialVector& wrench = arrays.reactions.on_b()[j];
    // A couple depends on the point it is taken about, a force does not.
    const Vector3d force = wrench.tail<3>();
    put(force, wrench.head<3>() - point.cross(force), j, arrays.reaction);
  }
}

}  // namespace

FrameArrays::FrameArrays(const System& system)
    : reactions(system),
      forces(system),
      joint_position(position_numbers(system->model)),
      joint_velocity(velocity_numbers(system->model)),
      joint_acceleration(velocity_numbers(system->model)),
      body_pose(7 * system->model.bodies.size()),
      body_velocity(6 * system->model.bodies.size()),
      body_acceleration(6 * system->model.bodies.size()),
      reaction(6 * system->model.joints.size()) {}

model::Frame make_frame(const System& system, double time, std::span<const double> q, std::span<const double> v,
                        double exchanged, const Workspace& work, FrameArrays& arrays) {
  for (std::size_t b = 0; b < system->body_places.size(); ++b) fill_body(system, b, work->links, arrays);
  fill_joints(system, q, v, work->links, arrays);
  // Last, since it needs the accelerations of all links.
  find_reactions(system, time, q, v, work, arrays.reactions);
  fill_reactions(system, work->links, arrays);
  fill_joint_accelerations(system, work, arrays);
  arrays.forces.fill(system, time, q, v, work->links, work->lambda);
  // (D15) at this instant.
  const Energies energy = energies(system, time, q, v, work);
  const LoopGap gap = loop_gap(system, work);
  model::Frame frame;
  frame.time = time;
  frame.q = q;
  frame.v = v;
  frame.joint_position = arrays.joint_position;
  frame.joint_velocity = arrays.joint_velocity;
  frame.joint_acceleration = arrays.joint_acceleration;
  frame.joint_drive = arrays.forces.drive;
  frame.joint_passive = arrays.forces.passive;
  frame.force = arrays.forces.force;
  frame.body_pose = arrays.body_pose;
  frame.body_velocity = arrays.body_velocity;
  frame.body_acceleration = arrays.body_acceleration;
  frame.reaction = arrays.reaction;
  frame.reaction_unique = arrays.reaction_unique;
  frame.kinetic = energy.kinetic;
  frame.potential = energy.potential;
  frame.exchanged = exchanged;
  frame.loop_distance = gap.distance;
  frame.loop_angle = gap.angle;
  return frame;
}

}  // namespace espalier::dynamics::detail
