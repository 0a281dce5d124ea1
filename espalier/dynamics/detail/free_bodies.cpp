#include "espalier/dynamics/detail/free_bodies.hpp"

#include <algorithm>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/detail/system_drives.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {
namespace {

using math::Pose;
using model::JointType;

// Of a frame in the group that holds the body: the group's frame is that of its lowest body.
Pose in_group(const model::Model& model, const std::vector<int>& group, model::BodyId body, const Pose& X_BF) {
  const auto lowest = to_index(group[body.index()]);
  return math::relative_pose(model.bodies[lowest].X_WB, model.body(body).X_WB) * X_BF;
}

// By body that is the lowest of its group: the mean of the origins of its joints' frames.
std::vector<Eigen::Vector3d> middles(const model::Model& model, const std::vector<int>& group) {
  std::vector<Eigen::Vector3d> sum(model.bodies.size(), Eigen::Vector3d::Zero());
  std::vector<int> count(model.bodies.size(), 0);
  const auto add = [&](model::BodyId body, const Pose& X_BF) {
    const auto g = to_index(group[body.index()]);
    sum[g] += in_group(model, group, body, X_BF).position;
    ++count[g];
  };
  for (const model::Joint& joint : model.joints) {
    // Welds are inside of groups.
    if (joint.type == JointType::kFixed) continue;
    add(joint.a, joint.X_AF);
    add(joint.b, joint.X_BM);
  }
  // (D13) measures shifts of this point: it does not depend on masses or on frames of bodies.
  for (std::size_t g = 0; g < sum.size(); ++g) sum[g] /= std::max(count[g], 1);
  return sum;
}

void add_floating(const Pose& X_WB, const Eigen::Vector3d& middle, System& system) {
  Link link;
  link.parent = 0;
  link.type = JointType::kFree;
  // Frame B stands at c_g with the axes of the body.
  link.X_LB.position = middle;
  link.freedom = 6;
  link.position = system->position_size;
  link.velocity = system->velocity_size;
  system->position_size += 7;
  system->velocity_size += 6;
  const std::vector<double> position = model::joint_position(JointType::kFree, 0, X_WB * link.X_LB);
  system->drawn.insert(system->drawn.end(), position.begin(), position.end());
  system->links.push_back(link);
}

void add_closure(const model::Model& model, const std::vector<int>& group, model::JointId id, System& system) {
  const model::Joint& joint = model.joint(id);
  Closure closure;
  closure.a = system->body_places[joint.a.index()].link;
  closure.b = system->body_places[joint.b.index()].link;
  closure.type = joint.type;
  closure.pitch = joint.pitch;
  closure.joint = id;
  closure.X_LA = in_group(model, group, joint.a, joint.X_AF);
  closure.X_LB = in_group(model, group, joint.b, joint.X_BM);
  closure.row = system->rows;
  closure.rows = model::joint_kind(joint.type).constraint;
  system->rows += closure.rows;
  system->closures.push_back(closure);
}

}  // namespace

System make_free_system(const model::Model& model) {
  const std::vector<int> group = model::weld_groups(model);
  const std::vector<Eigen::Vector3d> middle = middles(model, group);
  System system;
  system->model = model;
  system->links.emplace_back();  // the world
  system->body_places.resize(model.bodies.size());
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const auto lowest = to_index(group[b]);
    if (lowest == b && b > 0) add_floating(model.bodies[b].X_WB, middle[b], system);
    const int link =
        lowest == b && b > 0 ? static_cast<int>(system->links.size()) - 1 : system->body_places[lowest].link;
    system->body_places[b] = {link, in_group(model, group, model::BodyId(static_cast<int>(b)), Pose{})};
  }
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const model::Joint& joint = model.joints[j];
    // Every joint closes a loop here, since all groups float.
    const bool moves = joint.type != JointType::kFixed && group[joint.a.index()] != group[joint.b.index()];
    if (moves) add_closure(model, group, model::JointId(static_cast<int>(j)), system);
  }
  system->link_of.assign(model.joints.size(), -1);
  add_drives(model::resolve_laws(model), system);
  return system;
}

System with_pins(const System& system, std::span<const Pose> pose, const std::vector<model::JointId>& pins) {
  System pinned = system;
  int row = 0;
  for (Closure& closure : pinned->closures) {
    if (closure.joint.valid() && std::find(pins.begin(), pins.end(), closure.joint) != pins.end()) {
      const Pose X_WA = pose[to_index(closure.a)] * closure.X_LA;
      const Pose X_WB = pose[to_index(closure.b)] * closure.X_LB;
      const std::vector<double> q = model::joint_position(closure.type, closure.pitch, math::relative_pose(X_WA, X_WB));
      closure.X_LA = closure.X_LA * model::joint_pose(closure.type, closure.pitch, q);
      // The joint stays where this pose has it.
      closure.type = JointType::kFixed;
      closure.rows = 6;
    }
    closure.row = row;
    row += closure.rows;
  }
  // Behind all closures again, whose rows have grown.
  for (Drive& drive : pinned->drives) drive.row = row++;
  pinned->rows = row;
  return pinned;
}

}  // namespace espalier::dynamics::detail
