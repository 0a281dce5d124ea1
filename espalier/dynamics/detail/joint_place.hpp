#pragma once

#include "espalier/math/pose.hpp"
#include "espalier/model/joint.hpp"
#include "espalier/model/model.hpp"

namespace espalier::dynamics::detail {

// A joint of the model as it lies in the system.
struct JointPlace {
  model::JointId joint;
  model::JointType type = model::JointType::kRevolute;
  double pitch = 0;       // [m/rev]
  int a = 0, b = 0;       // links that hold the joint's own frames A and B
  math::Pose X_LA, X_LB;  // these frames in them
  int link = -1;          // the link that hangs by this joint; -1: the joint is cut
};

}  // namespace espalier::dynamics::detail
