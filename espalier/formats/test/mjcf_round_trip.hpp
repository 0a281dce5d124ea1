#pragma once

// Models drawn at random, and what they lose on their way through MJCF.

#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/model.hpp"
#include "espalier/model/notes.hpp"

namespace espalier::formats::mjcf_test {

using Eigen::Vector3d;
using model::JointSpec;
using model::JointType;
using model::Model;
using model::ModelSpec;

struct RoundTrip {
  std::string text;
  std::vector<std::string> notes;
  ModelSpec after;
  std::string differences;  // one a line; empty where nothing was lost
};

inline RoundTrip round_trip(const ModelSpec& spec) {
  RoundTrip trip;
  const Result<Model> before = model::compile(spec);
  const Result<WrittenModel> written = write_model(spec, Format::kMjcf);
  if (!before || !written) {
    trip.differences = to_string(before ? written.error() : before.error());
    return trip;
  }
  trip.text = written->text;
  trip.notes = written->notes;
  const Result<ModelSpec> again = read_model_text(written->text, "written.xml");
  if (!again) {
    trip.differences = to_string(again.error()) + "\n" + trip.text;
    return trip;
  }
  trip.after = *again;
  const Result<Model> after = model::compile(*again);
  if (!after) {
    trip.differences = to_string(after.error()) + "\n" + trip.text;
    return trip;
  }
  for (const model::Difference& d : model::find_differences(*before, *after)) {
    trip.differences += fmt::format("{} {} {}: {} -> {}\n", d.element, d.name, d.field, d.before, d.after);
  }
  return trip;
}

// Draws the same numbers again for the same seed.
class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int index(int count) { return std::uniform_int_distribution<int>(0, count - 1)(engine_); }
  Vector3d vector() { return {number(-1, 1), number(-1, 1), number(-1, 1)}; }
  math::Pose pose() { return {vector(), math::rotation_exp(2 * vector())}; }

 private:
  std::mt19937 engine_;
};

inline model::BodySpec make_body(const std::string& name, Draw& draw) {
  model::BodySpec body;
  body.name = name;
  body.mass = draw.number(0.1, 5);
  body.com = draw.vector();
  const Eigen::Matrix3d R = draw.pose().rotation.toRotationMatrix();
  body.inertia = R * Vector3d(2, 3, 4).asDiagonal() * R.transpose();
  body.pose = draw.pose();
  return body;
}

// Quaternions and free positions are left alone: ball joints count from the drawn pose in MJCF.
inline std::vector<double> draw_position(JointType type, Draw& draw) {
  const model::JointKind& kind = model::joint_kind(type);
  if (kind.position_size == kind.freedom) {
    std::vector<double> q;
    for (int k = 0; k < kind.freedom; ++k) q.push_back(draw.number(-1.4, 1.4));
    return q;
  }
  return model::joint_position(type, 0, {});
}

// A joint of this type that is closed in the drawn pose of the two bodies, at a position of its own.
inline JointSpec make_joint(const ModelSpec& spec, const std::string& name, JointType type, int a, int b, Draw& draw) {
  JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.pitch = type == JointType::kScrew ? 0.02 : 0;
  const auto pose = [&](int k) { return k < 0 ? math::Pose() : spec.bodies[to_index(k)].pose; };
  const auto body = [&](int k) { return k < 0 ? std::string("ground") : spec.bodies[to_index(k)].name; };
  joint.a = body(a);
  joint.b = body(b);
  const math::Pose X_WF = draw.pose();
  const math::Pose X_WM = X_WF * model::joint_pose(type, joint.pitch, draw_position(type, draw));
  joint.in_a = math::relative_pose(pose(a), X_WF);
  joint.in_b = math::relative_pose(pose(b), X_WM);
  const int freedom = model::joint_kind(type).freedom;
  const bool quaternion = model::joint_kind(type).position_size != freedom;
  if (freedom == 0 || type == JointType::kFree || draw.index(3) > 0) return joint;
  const double same = draw.number(0.1, 1);
  for (int k = 0; k < freedom; ++k) {
    joint.damping.push_back(same);
    joint.armature.push_back(same);
    if (quaternion) continue;
    joint.stiffness.push_back(draw.number(1, 2));
    joint.rest.push_back(draw.number(-1, 1));
    joint.limits.push_back({-2, draw.number(1.5, 3)});
  }
  if (freedom == 1) {
    joint.actuated = draw.index(2) == 0;
    joint.effort_limit = draw.number(1, 9);
  }
  return joint;
}

inline JointType type_number(int k) { return model::joint_kinds()[to_index(k)].type; }

inline ModelSpec pair_of_bodies(Draw& draw) {
  ModelSpec spec;
  spec.name = "pair";
  spec.bodies = {make_body("p", draw), make_body("q", draw)};
  return spec;
}

}  // namespace espalier::formats::mjcf_test
