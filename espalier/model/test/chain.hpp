#pragma once

// A chain of two bodies that must compile, to be spoilt in one place at a time.

#include <string>

#include "espalier/math/rotation.hpp"
#include "espalier/model/test/support.hpp"

namespace espalier::model {

// Poses without symmetry, so that a swapped frame or a forgotten inverse shows.
inline const math::Pose kPoseA{{0.3, -0.2, 0.7}, math::rotation_exp({0.4, 0.1, -0.6})};
inline const math::Pose kPoseB{{-0.5, 0.9, 0.1}, math::rotation_exp({-0.2, 0.8, 0.3})};
inline const math::Pose kPlace{{0.2, 0.1, -0.4}, math::rotation_exp({0.7, -0.3, 0.2})};

//  ground ==J0== A ==J1== B
inline ModelSpec chain() {
  ModelSpec spec;
  spec.name = "chain";
  spec.bodies = {body("A", kPoseA), body("B", kPoseB)};
  spec.joints = {joint("J0", kGround, "A"), joint("J1", "A", "B")};
  spec.joints[0].at = kPoseA;
  spec.joints[1].at = kPlace;
  return spec;
}

inline std::string error_of(const ModelSpec& spec) {
  const Result<Model> model = compile(spec);
  return model ? "compiled" : to_string(model.error().code) + ": " + model.error().message;
}

}  // namespace espalier::model
