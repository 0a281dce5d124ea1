#include "espalier/formats/detail/urdf_frames.hpp"

#include <algorithm>
#include <cmath>

#include "espalier/formats/detail/urdf_zero.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using math::Pose;
using model::Joint;
using model::JointType;
using model::Model;

// Below this a length [m] or angle [rad] is rounding.
constexpr double kRounding = 1e-12;

bool has_quaternion(JointType type) { return model::joint_row(type).quaternion >= 0; }

bool is_standard(JointType type) {
  return type == JointType::kRevolute || type == JointType::kPrismatic || type == JointType::kFixed ||
         type == JointType::kPlanar || type == JointType::kFree;
}

bool is_open(const Model& model, const Joint& joint) {
  const math::PoseGap gap = model::drawn_gap(model, joint);
  return gap.distance > 1e-9 || gap.angle > 1e-9;
}

// A joint that is open in the drawn pose keeps both its frames as a <loop>; then come the author's closures; then those
// that other readers of URDF know rather stay in the tree.
// Three reasons as digits of a number: the first that differs decides.
int keep_in_tree(const Model& model, const Joint& joint) {
  return (is_open(model, joint) ? 0 : 4) + (joint.spec.closure ? 0 : 2) + (is_standard(joint.type) ? 1 : 0);
}

// F and M after the drawn position has become zero.
struct Ends {
  Pose F, M;
};

Ends at_drawn_zero(const Model& model, const Joint& joint, UrdfTreeJoint& written) {
  const auto is_rounding = [](double x) { return std::abs(x) <= kRounding; };
  // A quaternion cannot be shifted like a coordinate; the frame in the parent is turned instead.
  if (has_quaternion(joint.type)) {
    const Pose X_FM = math::relative_pose(model::drawn_frame_a(model, joint), model::drawn_frame_b(model, joint));
    const Pose fold = model::joint_pose(joint.type, joint.pitch, model::joint_position(joint.type, joint.pitch, X_FM));
    const math::PoseGap gap = math::gap_between(fold, {});
    if (is_rounding(gap.distance) && is_rounding(gap.angle)) return {joint.X_AF, joint.X_BM};
    written.same_frames = false;
    return {joint.X_AF * fold, joint.X_BM};
  }
  // At zero already: the frames keep their bits.
  if (std::all_of(joint.position.begin(), joint.position.end(), is_rounding)) return {joint.X_AF, joint.X_BM};
  written.zero = joint.position;
  const ZeroShift shift = zero_shift(joint.type, joint.pitch, joint.position);
  return {joint.X_AF * shift.in_a, joint.X_BM * shift.in_b};
}

// The link's frame in its body: the joint's origin, the body's own axes where the joint's axes can be written in them.
Pose link_frame(JointType type, const Pose& in_child) {
  if (type == JointType::kFixed) return {};
  // Of an axis only its direction is written, of a ball or a planar joint the whole frame counts.
  const bool axes_count = has_quaternion(type) || type == JointType::kPlanar;
  if (axes_count && !axes_survive(type, in_child.rotation)) return in_child;
  return {in_child.position, Quaterniond::Identity()};
}

UrdfTreeJoint make_tree_joint(const Model& model, const WriteTree::Node& node, std::vector<Pose>& X_BL) {
  const Joint& joint = model.joint(node.joint);
  UrdfTreeJoint written;
  written.joint = node.joint;
  written.parent = node.parent;
  written.child = node.body;
  written.reversed = node.reversed;
  Ends ends = at_drawn_zero(model, joint, written);
  if (node.reversed) {
    const Pose turned = reversal(joint.type);
    ends = {ends.M * turned, ends.F * turned};
  }
  // URDF draws the child's frame at the joint: the link is moved there, the joint stays where it is in the body.
  X_BL[node.body.index()] = link_frame(joint.type, ends.M);
  const Pose X_LM = math::relative_pose(X_BL[node.body.index()], ends.M);
  written.origin = math::relative_pose(X_BL[node.parent.index()], ends.F) * X_LM.inverse();
  written.in_child = X_LM.rotation;
  return written;
}

}  // namespace

Quaterniond axes_as_read(JointType type, const Quaterniond& R) {
  switch (model::joint_kind(type).axes) {
    case 0:
      return Quaterniond::Identity();
    case 1:
      return math::rotation_with_z(R * Vector3d::UnitZ());
    default:
      return R;
  }
}

bool axes_survive(JointType type, const Quaterniond& R) {
  const Vector3d zero = Vector3d::Zero();
  // Written axes are read back by the same rule as here, so that what survives can be told without a file.
  return math::gap_between({zero, R}, {zero, axes_as_read(type, R)}).angle <= kRounding;
}

UrdfFrames make_urdf_frames(const Model& model) {
  const WriteTree tree = make_write_tree(model, [&](const Joint& joint) { return keep_in_tree(model, joint); });
  UrdfFrames frames;
  frames.X_BL.resize(model.bodies.size());
  frames.closures = tree.closures;
  for (const WriteTree::Node& node : tree.nodes) {
    if (node.parent.valid()) {
      frames.joints.push_back(make_tree_joint(model, node, frames.X_BL));
      const Joint& joint = model.joint(node.joint);
      if (node.parent == model::kGroundId) frames.grounded = true;
      if (is_open(model, joint)) frames.opened.push_back(joint.name);
    } else if (node.body != model::kGroundId) {
      // A root link stands at the world's origin, so its frame is the world frame of the drawn pose.
      const Pose& X_WB = model.body(node.body).X_WB;
      const math::PoseGap gap = math::gap_between(X_WB, {});
      // At the origin a root keeps the body's own frame and its bits.
      if (gap.distance > 0 || gap.angle > 0) frames.X_BL[node.body.index()] = X_WB.inverse();
      frames.roots.push_back(node.body);
    }
  }
  return frames;
}

}  // namespace espalier::formats::detail
