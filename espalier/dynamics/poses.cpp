#include "espalier/dynamics/assembly.hpp"

#include <algorithm>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/poses.hpp"
#include "espalier/dynamics/detail/system_data.hpp"

namespace espalier::dynamics {
namespace {

using detail::joint_pose;
using detail::link_poses;
using detail::positions_at;
using math::Pose;
using model::JointId;

// One step of the way from the ground to every group of welded bodies.
struct Step {
  int to = 0;  // group
  JointId joint;
  bool forward = true;  // from the joint's body a to its body b
};

// Joints that hold the groups together without a loop, those in `first` before all others.
std::vector<std::vector<Step>> spanning_steps(const model::Model& model, const std::vector<int>& group,
                                              const std::vector<bool>& first) {
  // Kruskal's method with two weights: what a keyframe names is placed as it says, and drawn joints give way to it
  // where both would close a loop.
  DisjointSets joined(model.bodies.size());
  std::vector<std::vector<Step>> steps(model.bodies.size());
  for (const bool named : {true, false}) {
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
      const model::Joint& joint = model.joints[j];
      const int a = group[joint.a.index()];
      const int b = group[joint.b.index()];
      if (first[j] != named || !joined.join(a, b)) continue;
      const JointId id(static_cast<int>(j));
      // Either end may be reached first.
      steps[to_index(a)].push_back({b, id, true});
      steps[to_index(b)].push_back({a, id, false});
    }
  }
  return steps;
}

}  // namespace

void sort_gaps(std::vector<JointGap>& gaps, double typical) {
  const auto size = [&](const JointGap& gap) { return std::max(gap.distance / typical, gap.angle); };
  // In one measure, or a long machine would list its lengths before every angle; equal ones keep the model's order.
  std::stable_sort(gaps.begin(), gaps.end(), [&](const JointGap& a, const JointGap& b) { return size(a) > size(b); });
}

std::vector<Pose> detail::link_poses(const System& system, std::span<const double> q) {
  std::vector<Pose> pose(system->links.size());
  for (std::size_t i = 1; i < system->links.size(); ++i) {
    const Link& link = system->links[i];
    const auto size = to_index(model::joint_kind(link.type).position_size);
    const Pose X_AB = model::joint_pose(link.type, link.pitch, q.subspan(to_index(link.position), size));
    // Parents stand before their children, so that the parent's pose is known.
    pose[i] = pose[to_index(link.parent)] * link.X_LA * X_AB * link.X_LB.inverse();
  }
  return pose;
}

std::vector<Pose> body_poses(const System& system, std::span<const double> q) {
  const std::vector<Pose> link = link_poses(system, q);
  std::vector<Pose> body;
  for (const BodyPlace& body_place : system->body_places)
    body.push_back(link[to_index(body_place.link)] * body_place.X_LB);
  return body;
}

std::vector<double> detail::positions_at(const System& system, std::span<const Pose> body) {
  std::vector<Pose> link(system->links.size());
  std::vector<bool> known(system->links.size(), false);
  known[0] = true;
  // By the first body of each link: those welded to it agree.
  for (std::size_t b = 0; b < system->body_places.size(); ++b) {
    const auto i = to_index(system->body_places[b].link);
    if (known[i]) continue;
    link[i] = body[b] * system->body_places[b].X_LB.inverse();
    known[i] = true;
  }
  // The second half of a cut body holds no body of the model.
  for (const Closure& closure : system->closures) {
    const auto b = to_index(closure.b);
    if (closure.joint.valid() || known[b]) continue;
    link[b] = link[to_index(closure.a)] * closure.X_LA * closure.X_LB.inverse();
    known[b] = true;
  }
  std::vector<double> q(to_index(system->position_size));
  for (std::size_t i = 1; i < system->links.size(); ++i) {
    const Link& at = system->links[i];
    // The coordinates nearest to these two poses: where they are no pose of the joint, what is over is the gap of its
    // loop.
    const Pose X_AB = math::relative_pose(link[to_index(at.parent)] * at.X_LA, link[i] * at.X_LB);
    const std::vector<double> position = model::joint_position(at.type, at.pitch, X_AB);
    std::copy(position.begin(), position.end(), q.begin() + at.position);
  }
  return q;
}

Pose detail::joint_pose(const model::Joint& joint, std::span<const Pose> body) {
  return math::relative_pose(body[joint.a.index()] * joint.X_AF, body[joint.b.index()] * joint.X_BM);
}

std::vector<JointGap> joint_gaps(const model::Model& model, std::span<const Pose> body) {
  std::vector<JointGap> gaps;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const model::Joint& joint = model.joints[j];
    // Welds are closed before anything is measured, see close_welds().
    if (joint.type == model::JointType::kFixed) continue;
    const math::PoseGap gap = model::joint_gap(joint.type, joint.pitch, joint_pose(joint, body));
    gaps.push_back({JointId(static_cast<int>(j)), gap.distance, gap.angle});
  }
  sort_gaps(gaps, 1);
  return gaps;
}

std::vector<Pose> drawn_poses(const model::Model& model) {
  std::vector<Pose> body;
  for (const model::Body& drawn : model.bodies) body.push_back(drawn.X_WB);
  return body;
}

std::vector<Pose> keyframe_poses(const model::Model& model, const model::Keyframe& keyframe) {
  // Joints that the keyframe does not name stay as drawn.
  std::vector<std::vector<double>> position;
  for (const model::Joint& joint : model.joints) position.push_back(joint.position);
  std::vector<bool> named(model.joints.size(), false);
  for (const auto& [joint, value] : keyframe.positions) {
    position[joint.index()] = value;
    named[joint.index()] = true;
  }
  // Placed are groups of welded bodies, since a keyframe moves no weld.
  const std::vector<int> group = model::weld_groups(model);
  const std::vector<std::vector<Step>> steps = spanning_steps(model, group, named);
  std::vector<Pose> body = drawn_poses(model);
  std::vector<bool> reached(model.bodies.size(), false);
  for (std::size_t seed = 0; seed < body.size(); ++seed) {
    // The ground comes first; what nothing joins to it begins where it is drawn.
    if (group[seed] != static_cast<int>(seed) || reached[seed]) continue;
    reached[seed] = true;
    std::vector<int> waiting = {static_cast<int>(seed)};
    while (!waiting.empty()) {
      const auto from = to_index(waiting.back());
      waiting.pop_back();
      for (const Step& step : steps[from]) {
        const auto to = to_index(step.to);
        if (reached[to]) continue;
        reached[to] = true;
        const model::Joint& joint = model.joint(step.joint);
        const Pose X_FM = model::joint_pose(joint.type, joint.pitch, position[step.joint.index()]);
        // The joint's frames as the first bodies of the two groups hold them.
        const auto held = [&](std::size_t first, model::BodyId holder, const Pose& frame) {
          return math::relative_pose(model.bodies[first].X_WB, model.body(holder).X_WB) * frame;
        };
        body[to] = step.forward
                       ? body[from] * held(from, joint.a, joint.X_AF) * X_FM * held(to, joint.b, joint.X_BM).inverse()
                       : body[from] * held(from, joint.b, joint.X_BM) * X_FM.inverse() *
                             held(to, joint.a, joint.X_AF).inverse();
        waiting.push_back(step.to);
      }
    }
  }
  for (std::size_t b = 0; b < body.size(); ++b) {
    const auto first = to_index(group[b]);
    // All other bodies of a group keep the place in it that the drawing gives them.
    if (first != b) body[b] = body[first] * math::relative_pose(model.bodies[first].X_WB, model.bodies[b].X_WB);
  }
  return body;
}

}  // namespace espalier::dynamics
