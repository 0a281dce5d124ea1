#pragma once

// Models for the tests of the URDF writer, and what they lose on their way through a file.

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/model.hpp"
#include "espalier/model/notes.hpp"

namespace espalier::formats::urdf_test {

using Eigen::Vector3d;
using model::JointType;
using model::Model;
using model::ModelSpec;

inline std::string list(const std::vector<model::Difference>& differences) {
  std::string text;
  for (const model::Difference& d : differences) {
    text += fmt::format("{} {} {}: {} -> {}\n", d.element, d.name, d.field, d.before, d.after);
  }
  return text;
}

struct RoundTrip {
  std::string text;
  std::vector<std::string> notes;
  std::string differences;  // empty where nothing was lost
};

inline RoundTrip round_trip(const ModelSpec& spec) {
  const Result<Model> before = model::compile(spec);
  if (!before) return {"", {}, to_string(before.error())};
  const Result<WrittenModel> written = write_model(spec, Format::kUrdf);
  if (!written) return {"", {}, to_string(written.error())};
  const Result<ModelSpec> read = read_model_text(written->text, "written.urdf");
  if (!read) return {written->text, written->notes, to_string(read.error())};
  const Result<Model> after = model::compile(*read);
  if (!after) return {written->text, written->notes, to_string(after.error())};
  return {written->text, written->notes, list(model::find_differences(*before, *after))};
}

inline void expect_kept(const ModelSpec& spec) {
  const RoundTrip trip = round_trip(spec);
  EXPECT_EQ(trip.differences, "") << trip.text;
}

inline bool has_note(const RoundTrip& trip, const std::string& part) {
  for (const std::string& note : trip.notes) {
    if (note.find(part) != std::string::npos) return true;
  }
  return false;
}

inline math::Pose pose(const Vector3d& position, const Vector3d& turn) { return {position, math::rotation_exp(turn)}; }

inline model::BodySpec brick(const std::string& name, const math::Pose& X_WB) {
  model::BodySpec body;
  body.name = name;
  body.mass = 2;
  body.com = Vector3d(0.1, -0.2, 0.3);
  const Eigen::Matrix3d R = math::rotation_exp({0.3, 0.2, 0.1}).toRotationMatrix();
  body.inertia = R * math::box_inertia(2, {1, 2, 3}).about_com * R.transpose();
  body.pose = X_WB;
  return body;
}

// A joint whose frames stand so that it is at position q in the drawn pose.
inline model::JointSpec joint_at(const std::string& name, JointType type, const model::BodySpec& a,
                                 const model::BodySpec& b, const math::Pose& X_WF, std::vector<double> q,
                                 double pitch = 0) {
  model::JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.a = a.name;
  joint.b = b.name;
  joint.pitch = pitch;
  joint.in_a = math::relative_pose(a.pose, X_WF);
  joint.in_b = math::relative_pose(b.pose, X_WF * model::joint_pose(type, pitch, q));
  return joint;
}

inline model::BodySpec ground() {
  model::BodySpec body;
  body.name = model::kGround;
  return body;
}

inline std::vector<double> some_position(JointType type) {
  switch (type) {
    case JointType::kSpherical:
      return {std::cos(0.2), std::sin(0.2), 0, 0};
    case JointType::kFree:
      return {0.1, 0.2, 0.3, std::cos(0.2), 0, std::sin(0.2), 0};
    default: {
      std::vector<double> q;
      for (int k = 0; k < model::joint_kind(type).freedom; ++k) q.push_back(0.4 - 0.3 * k);
      return q;
    }
  }
}

// The text without our own <espalier> elements, as any other reader takes it.
inline std::string plain_text(std::string text) {
  for (std::size_t at = text.find("<espalier"); at != std::string::npos; at = text.find("<espalier", at)) {
    text.erase(at, text.find("/>", at) + 2 - at);
  }
  return text;
}

inline ModelSpec slider() {
  ModelSpec spec;
  spec.name = "slider";
  spec.bodies = {brick("one", {})};
  spec.joints = {joint_at("j", JointType::kPrismatic, ground(), spec.bodies[0], {}, {0.5})};
  return spec;
}

}  // namespace espalier::formats::urdf_test
