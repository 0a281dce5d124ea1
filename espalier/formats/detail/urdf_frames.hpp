#pragma once

// Where the links of a written URDF file have their frames. URDF wants a child link's frame on its joint, and the whole
// robot drawn at zero; the bodies of a model have their frames anywhere.

#include <string>
#include <vector>

#include "espalier/formats/detail/write_tree.hpp"
#include "espalier/math/pose.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats::detail {

// A joint of the tree, as URDF holds it.
struct UrdfTreeJoint {
  model::JointId joint;
  model::BodyId parent, child;
  bool reversed = false;
  std::vector<double> zero;     // the joint's position at the file's zero; empty where that is 0 or a quaternion
  bool same_frames = true;      // no quaternion had to be folded away: the frames are still those of the model
  math::Pose origin;            // child link in parent link, at zero
  Eigen::Quaterniond in_child;  // joint axes in the child link
};

struct UrdfFrames {
  std::vector<math::Pose> X_BL;          // link frame in its body, for each body
  std::vector<UrdfTreeJoint> joints;     // in the order of the tree
  std::vector<model::JointId> closures;  // in file order
  std::vector<model::BodyId> roots;      // of the pieces that do not touch the ground
  bool grounded = false;                 // a joint holds the ground
  std::vector<std::string> opened;       // tree joints that are not closed in the drawn pose
};

UrdfFrames make_urdf_frames(const model::Model& model);

// The joint axes that the reader makes of the <axis> (and <axis2>) written for the axes `R`.
Eigen::Quaterniond axes_as_read(model::JointType type, const Eigen::Quaterniond& R);
// True where writing <axis> alone brings the axes `R` back.
bool axes_survive(model::JointType type, const Eigen::Quaterniond& R);

}  // namespace espalier::formats::detail
