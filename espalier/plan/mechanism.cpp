#include "espalier/plan/network.hpp"

#include <algorithm>
#include <cmath>

#include "espalier/base/index.hpp"

namespace espalier::plan {
namespace {

using model::JointId;
using model::JointType;

std::vector<JointId> loop_of(const Mechanism& mechanism, const graph::Forest& forest, int chord) {
  std::vector<JointId> loop;
  for (const int edge : graph::fundamental_loop(mechanism.graph, forest.tree, forest.level, chord)) {
    loop.push_back(mechanism.joints[to_index(edge)]);
  }
  return loop;
}

}  // namespace

Mechanism make_mechanism(const model::Model& model) {
  const std::vector<int> group = model::weld_groups(model);
  Mechanism mechanism;
  mechanism.vertex_of.assign(model.bodies.size(), -1);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const auto root = to_index(group[b]);
    // A group is named after its first body, which comes before its others.
    if (root == b) {
      mechanism.vertex_of[b] = static_cast<int>(mechanism.bodies.size());
      mechanism.bodies.emplace_back();
    }
    mechanism.vertex_of[b] = mechanism.vertex_of[root];
    mechanism.bodies[to_index(mechanism.vertex_of[b])].emplace_back(b);
  }
  mechanism.graph.vertices = static_cast<int>(mechanism.bodies.size());
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const model::Joint& joint = model.joints[j];
    // What it welds is one vertex by now.
    if (joint.type == JointType::kFixed) continue;
    mechanism.graph.edges.push_back({mechanism.vertex_of[joint.a.index()], mechanism.vertex_of[joint.b.index()]});
    mechanism.joints.emplace_back(j);
  }
  return mechanism;
}

Count count(const model::Model& model, const Mechanism& mechanism) {
  const graph::Forest forest = graph::breadth_first_forest(mechanism.graph);
  Count result;
  result.bodies = static_cast<int>(model.bodies.size()) - 1;
  result.groups = mechanism.graph.vertices - 1;
  result.movable_joints = static_cast<int>(mechanism.joints.size());
  result.loops = static_cast<int>(forest.chords.size());
  result.floating = forest.components - 1;
  // (A chord of the forest is a loop: their number does not depend on which tree is taken.)
  // One component holds the ground; every other one floats.
  result.coordinates = 6 * result.floating;
  for (const JointId id : mechanism.joints) result.coordinates += model::joint_kind(model.joint(id).type).freedom;
  for (const int chord : forest.chords)
    result.planar_loops += is_planar(model, loop_of(mechanism, forest, chord)) ? 1 : 0;
  // [Gruebler17], with three equations for a planar loop instead of six.
  result.freedom =
      result.coordinates - 6 * result.loops + 3 * result.planar_loops - static_cast<int>(model.couplings.size());
  for (const graph::Edge& edge : mechanism.graph.edges) result.blocked_joints += edge.a == edge.b ? 1 : 0;
  return result;
}

JointAxis joint_axis(const model::Model& model, const model::Joint& joint) {
  JointAxis axis;
  if (joint.type == JointType::kRevolute) axis.kind = JointAxis::Kind::kHinge;
  if (joint.type == JointType::kPrismatic) axis.kind = JointAxis::Kind::kSlider;
  axis.in_a = model::drawn_frame_a(model, joint).rotation * Eigen::Vector3d::UnitZ();
  axis.in_b = model::drawn_frame_b(model, joint).rotation * Eigen::Vector3d::UnitZ();
  return axis;
}

bool moves_in_plane(const JointAxis& axis, const Eigen::Vector3d& normal) {
  constexpr double kParallel = 1e-6;  // sine of the angle two axes may stand apart
  // A hinge keeps what it carries in the plane if it turns about the normal, a slider if it moves along the plane; both
  // as seen from either body. Other joints are never taken for planar, though a planar joint could
  // be: its loop then counts as spatial.
  switch (axis.kind) {
    case JointAxis::Kind::kHinge:
      return normal.cross(axis.in_a).norm() <= kParallel && normal.cross(axis.in_b).norm() <= kParallel;
    case JointAxis::Kind::kSlider:
      return std::abs(normal.dot(axis.in_a)) <= kParallel && std::abs(normal.dot(axis.in_b)) <= kParallel;
    case JointAxis::Kind::kOther:
      break;
  }
  return false;
}

bool is_planar(const model::Model& model, const std::vector<JointId>& loop) {
  const auto hinge =
      std::find_if(loop.begin(), loop.end(), [&](JointId id) { return model.joint(id).type == JointType::kRevolute; });
  if (hinge == loop.end()) return false;
  const Eigen::Vector3d normal = joint_axis(model, model.joint(*hinge)).in_a;
  return std::all_of(loop.begin(), loop.end(),
                     [&](JointId id) { return moves_in_plane(joint_axis(model, model.joint(id)), normal); });
}

std::vector<std::vector<JointId>> independent_loops(const Mechanism& mechanism, std::size_t most) {
  const graph::Forest forest = graph::breadth_first_forest(mechanism.graph);
  std::vector<std::vector<JointId>> loops;
  for (const int chord : forest.chords) {
    if (loops.size() == most) break;
    loops.push_back(loop_of(mechanism, forest, chord));
  }
  return loops;
}

}  // namespace espalier::plan
