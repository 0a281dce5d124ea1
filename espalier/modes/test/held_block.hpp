#pragma once

// A rigid block that one joint holds from the ground, for tests of joints and of forces.

#include <string>

#include "espalier/modes/test/structure_support.hpp"

namespace espalier::modes {

inline model::BodySpec block(const std::string& name, const Eigen::Vector3d& position, double mass = 2) {
  model::BodySpec body = point_mass(name, mass, position);
  body.kind = model::BodyKind::kRigid;
  body.inertia = Eigen::Vector3d(0.1, 0.2, 0.25).asDiagonal();
  return body;
}

// A block at the origin, held from the ground by one joint.
inline model::ModelSpec held(model::JointType type, const Eigen::Vector3d& at = {0, 0, 0},
                             const Eigen::Vector3d& axis = {0, 0, 1}) {
  model::ModelSpec spec = weightless("held", {"x", "y", "z", "rx", "ry", "rz"});
  spec.bodies = {block("block", {0, 0, 0})};
  spec.joints = {joint_at("joint", type, "ground", "block", at, axis)};
  return spec;
}

}  // namespace espalier::modes
