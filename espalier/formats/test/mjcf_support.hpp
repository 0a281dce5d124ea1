#pragma once

// Small MJCF files for the tests of the reader, and what it makes of them.

#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/support.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats::mjcf_test {

using model::Model;
using model::ModelSpec;

inline constexpr double kPi = std::numbers::pi;

inline std::string in_world(const std::string& worldbody, const std::string& rest = "",
                            const std::string& before = "") {
  return "<mujoco model=\"test\">" + before + "<worldbody>" + worldbody + "</worldbody>" + rest + "</mujoco>";
}

inline ModelSpec read(const std::string& text) {
  const Result<ModelSpec> spec = read_model_text(text, "test.xml");
  EXPECT_TRUE(spec.has_value()) << to_string(spec.error());
  return spec.value_or(ModelSpec());
}

inline Model compiled(const ModelSpec& spec) {
  const Result<Model> model = model::compile(spec);
  EXPECT_TRUE(model.has_value()) << to_string(model.error());
  return model.value_or(Model());
}

inline std::string error_of(const std::string& text) {
  const Result<ModelSpec> spec = read_model_text(text, "test.xml");
  return spec ? "read" : to_string(spec.error());
}

inline const std::string kMass = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>";

inline std::string body(const std::string& name, const std::string& inside, const std::string& attributes = "") {
  return "<body name='" + name + "' " + attributes + ">" + kMass + inside + "</body>";
}

// Two bodies on a hinge each, 1 m apart.
inline const std::string kTwo = body("a", "<joint name='i'/>") + body("b", "<joint name='k'/>", "pos='1 0 0'");

}  // namespace espalier::formats::mjcf_test
