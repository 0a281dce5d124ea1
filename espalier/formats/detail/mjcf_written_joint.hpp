#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "espalier/model/model.hpp"

namespace espalier::formats::detail {

// One <joint> of a written MJCF file.
struct MjcfWrittenJoint {
  enum class Type { kHinge, kSlide, kBall, kFree };
  Type type = Type::kHinge;
  std::string name;
  Eigen::Vector3d pos = Eigen::Vector3d::Zero();    // in the child [m]
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  // in the child
  double ref = 0;
  std::optional<std::array<double, 2>> range;
  double stiffness = 0, springref = 0, damping = 0, friction = 0, armature = 0;
  std::optional<double> effort;
};

// A joint of ours in MJCF, between a parent body and its child.
struct MjcfTreeJoint {
  std::vector<MjcfWrittenJoint> joints;  // nearest to the parent first; none for a fixed joint
  std::string slide, hinge;              // a screw: the two an equality must tie
  double slope = 0;                      // [m/rad]
};

// `reversed` where the child is the joint's a.
// A free joint to ground is MJCF's own unless it is elastic, when its three slides carry the springs.
MjcfTreeJoint make_tree_joint(const model::Joint& joint, bool reversed, bool parent_is_ground);

// The child in its parent at this position of the joint.
math::Pose child_in_parent(const model::Joint& joint, bool reversed, const std::vector<double>& position);

// Numbers of qpos at this position of the joint.
std::vector<double> joint_qpos(const model::Joint& joint, bool reversed, const MjcfTreeJoint& written,
                               const std::vector<double>& position);

bool is_elastic(const model::Joint& joint);

}  // namespace espalier::formats::detail
