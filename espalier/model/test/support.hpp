#pragma once

// Small models for the tests of the room.

#include <string>

#include <gtest/gtest.h>

#include "espalier/model/model.hpp"
#include "tests/support/expect.hpp"

namespace espalier::model {

// Its centre of mass stands off the frame, its three moments differ, so that a forgotten term shows.
inline BodySpec body(const std::string& name, const math::Pose& X_WB = {}) {
  BodySpec spec;
  spec.name = name;
  spec.mass = 2;
  spec.com = Eigen::Vector3d(0.1, 0.2, 0.3);
  spec.inertia = Eigen::Vector3d(0.2, 0.3, 0.4).asDiagonal();
  spec.pose = X_WB;
  return spec;
}

// Both frames where the bodies' frames are.
inline JointSpec joint(const std::string& name, const std::string& a, const std::string& b,
                       JointType type = JointType::kRevolute) {
  JointSpec spec;
  spec.name = name;
  spec.type = type;
  spec.a = a;
  spec.b = b;
  return spec;
}

// A model that must compile.
inline Model compiled(const ModelSpec& spec) {
  const Result<Model> model = compile(spec);
  EXPECT_TRUE(model.has_value()) << to_string(model.error());
  return model.value_or(Model());
}

}  // namespace espalier::model
