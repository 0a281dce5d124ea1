#pragma once

#include <optional>
#include <string>
#include <vector>

#include "espalier/formats/detail/mjcf_state.hpp"

namespace espalier::formats::detail {

// The joints of one MJCF body as one joint of ours. From the drawn pose the body moves by T_J = A joint_pose(q) B^-1,
// seen in frame J, which is fixed in the body.
struct MjcfPattern {
  model::JointType type = model::JointType::kRevolute;
  std::string name;  // empty where the file gives none
  double pitch = 0;  // [m/rev]
  math::Pose J, A, B;
  std::vector<int> coordinates;  // which joint of the file makes each of our coordinates (or group: a ball's three)
  Eigen::Quaterniond ball_axes = Eigen::Quaterniond::Identity();  // our axes in those a ball's quaternion refers to
  bool reversed = false;  // the body holds F, its parent M: our a and b change places
};

// Which of our types the joints are exactly, or nothing:
//   one joint | hinge+hinge at right angles through one point: universal | slide and hinge on one axis: cylindrical, or
//   screw where an equality ties them | slide+slide+hinge about their normal: planar (hinge+slide+slide: the same seen
//   from the other body) | three slides at right angles + ball: free.
// Joints that a coupling names stay apart, since our couplings need joints of one coordinate.
std::optional<MjcfPattern> match_joints(const MjcfState& state, const std::vector<MjcfJoint>& joints);

}  // namespace espalier::formats::detail
