#pragma once

// Models for the tests of the SDF writer, and what they lose on their way through a file.

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats::sdf_test {

using Eigen::Vector3d;
using model::JointSpec;
using model::JointType;
using model::ModelSpec;

inline std::string describe(const std::vector<model::Difference>& differences) {
  std::string text;
  for (const model::Difference& d : differences) {
    text += fmt::format("{} '{}' {}: {} -> {}\n", d.element, d.name, d.field, d.before, d.after);
  }
  return text;
}

// What a model loses on its way through SDF; "" for nothing.
inline std::string losses(const ModelSpec& spec) {
  const Result<Conversion> conversion = convert(spec, Format::kSdf);
  return conversion ? describe(conversion->changes) : to_string(conversion.error());
}

inline std::string text_of(const ModelSpec& spec) {
  const Result<WrittenModel> written = write_model(spec, Format::kSdf);
  return written ? written->text : to_string(written.error());
}

inline bool noted(const ModelSpec& spec, const std::string& part) {
  const Result<WrittenModel> written = write_model(spec, Format::kSdf);
  return written && std::any_of(written->notes.begin(), written->notes.end(),
                                [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

inline model::BodySpec brick(const std::string& name, const math::Pose& pose) {
  model::BodySpec body;
  body.name = name;
  body.mass = 2;
  body.com = Vector3d(0.1, -0.2, 0.3);
  body.inertia = math::box_inertia(2, {1, 2, 3}).about_com;
  body.pose = pose;
  return body;
}

inline JointSpec joint(const std::string& name, JointType type, const std::string& a, const std::string& b) {
  JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.a = a;
  joint.b = b;
  if (type == JointType::kScrew) joint.pitch = -0.01;
  return joint;
}

inline const math::Pose kSomewhere = {Vector3d(1, -2, 0.5), math::rotation_from_rpy({0.3, -0.4, 2})};
inline const math::Pose kElsewhere = {Vector3d(-1, 0.25, 3), math::rotation_from_rpy({-1, 0.7, 0.1})};

// Our text as a reader takes it that knows nothing of the namespace espalier: the drawn pose is zero.
inline ModelSpec as_others_read(std::string text) {
  const std::regex own_elements("<espalier:(parent_pose|position)[^<]*</espalier:[a-z_]*>");
  const Result<ModelSpec> spec = read_model_text(std::regex_replace(text, own_elements, ""), "others.sdf");
  EXPECT_TRUE(spec.has_value()) << to_string(spec.error());
  return spec.value_or(ModelSpec());
}

inline ModelSpec read_back(const ModelSpec& spec) {
  const Result<ModelSpec> back = read_model_text(text_of(spec), "back.sdf");
  EXPECT_TRUE(back.has_value()) << to_string(back.error());
  return back.value_or(ModelSpec());
}

// One body on one joint of the ground, whose coordinates read `position` as drawn.
inline ModelSpec drawn_at(JointType type, const std::vector<double>& position) {
  ModelSpec spec;
  spec.name = "one";
  JointSpec j = joint("j", type, "ground", "a");
  spec.bodies = {brick("a", model::joint_pose(type, j.pitch, position))};
  spec.joints = {j};
  return spec;
}

}  // namespace espalier::formats::sdf_test
