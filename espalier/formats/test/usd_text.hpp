#pragma once

// Texts of USD that the tests of its reader are made of, and what these tests compare.

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"

namespace espalier::formats {

inline constexpr const char* kHead = "#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = \"Z\"\n)\n";
inline constexpr const char* kScene = "def PhysicsScene \"scene\" {}\n";

inline model::ModelSpec read(const std::string& text) {
  const Result<model::ModelSpec> spec = read_model_text(text, "test.usda");
  EXPECT_TRUE(spec.has_value()) << to_string(spec.error()) << "\n" << text;
  return spec.value_or(model::ModelSpec());
}

inline std::string error_of(const std::string& text) {
  const Result<model::ModelSpec> spec = read_model_text(text, "test.usda");
  return spec ? "read" : to_string(spec.error());
}

inline std::string file(const std::string& inside) { return fmt::format("{}{}{}", kHead, kScene, inside); }

// A body of 2 kg with moments 1, 2, 2.5 and what else is said.
inline std::string rigid(const std::string& name, const std::string& inside = "", const std::string& apis = "") {
  return fmt::format(R"(def Xform "{}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"{}]) {{
    float physics:mass = 2
    float3 physics:diagonalInertia = (1, 2, 2.5)
    {}
}}
)",
                     name, apis, inside);
}

// A joint from the world to `arm`, with what else is said.
inline model::ModelSpec one_joint(const std::string& type, const std::string& inside, const std::string& apis = "") {
  return read(file(rigid("arm") + fmt::format("def {} \"pin\" (prepend apiSchemas = [{}]) {{\n"
                                              "    rel physics:body1 = </arm>\n    {}\n}}\n",
                                              type, apis, inside)));
}

// Limits that lock these directions of a PhysicsJoint: their schemas, and their attributes.
inline std::pair<std::string, std::string> locks(const std::vector<std::string>& directions) {
  std::string apis, lines;
  for (const std::string& each : directions) {
    apis += fmt::format("{}\"PhysicsLimitAPI:{}\"", apis.empty() ? "" : ", ", each);
    lines += fmt::format("float limit:{0}:physics:low = 1\nfloat limit:{0}:physics:high = -1\n", each);
  }
  return {apis, lines};
}

inline void expect_near(const Eigen::Vector3d& a, const Eigen::Vector3d& b, double tolerance = 1e-12) {
  EXPECT_LE((a - b).norm(), tolerance) << a.transpose() << " is not " << b.transpose();
}

inline void expect_turn(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b) {
  EXPECT_LE(a.angularDistance(b), 1e-12);
}

}  // namespace espalier::formats
