#pragma once

// Small SDF files for the tests of the reader, and what it makes of them.

#include <numbers>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/support.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::sdf_test {

using Eigen::Vector3d;
using model::ModelSpec;

inline constexpr double kPi = std::numbers::pi;

inline ModelSpec read(const std::string& text) {
  const Result<ModelSpec> spec = read_model_text(text, "test.sdf");
  EXPECT_TRUE(spec.has_value()) << to_string(spec.error());
  return spec.value_or(ModelSpec());
}

// The text of a model of SDF 1.9 around `inside`.
inline std::string model_text(const std::string& inside, const std::string& version = "1.9") {
  return fmt::format("<sdf version='{}'>\n<model name='m'>\n{}\n</model></sdf>", version, inside);
}

inline std::string error_of(const std::string& text) {
  const Result<ModelSpec> spec = read_model_text(text, "test.sdf");
  return spec ? "read" : to_string(spec.error());
}

inline void expect_near(const Vector3d& a, const Vector3d& b, double tolerance = 1e-12) {
  EXPECT_LE((a - b).norm(), tolerance) << a.transpose() << " is not " << b.transpose();
}

inline void expect_near(const math::Pose& a, const math::Pose& b, double tolerance = 1e-12) {
  const math::PoseGap gap = math::gap_between(a, b);
  EXPECT_LE(gap.distance, tolerance) << a.position.transpose() << " is not " << b.position.transpose();
  EXPECT_LE(gap.angle, tolerance);
}

inline constexpr const char* kTwoLinks = R"(
  <link name='a'><pose>1 0 0 0 0 0</pose><inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
  <link name='b'><pose>1 1 0 0 0 1.5707963267948966</pose><inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
)";

inline std::string two_links(const std::string& joints, const std::string& version = "1.9") {
  return model_text(kTwoLinks + joints, version);
}

}  // namespace espalier::formats::sdf_test
