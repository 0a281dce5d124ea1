// What acts on the coordinates of a joint: limits, drives, and attributes of our own.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/sdf_axis.hpp"
#include "espalier/formats/detail/usd_joint.hpp"
#include "espalier/model/joint.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats::detail {
namespace {

using model::CoordinateKind;
using model::Effect;
using model::JointSpec;
using model::JointType;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Where the float of a file stands for none.
constexpr double kEndless = 1e30;
constexpr double kDegree = std::numbers::pi / 180;

bool is_angle(const JointSpec& joint, std::size_t k) {
  return model::joint_kind(joint.type).coordinates[k] == CoordinateKind::kAngle;
}

// Of a position: degrees or units of the file.
double position_unit(const UsdStage& stage, const JointSpec& joint, std::size_t k) {
  return is_angle(joint, k) ? kDegree : stage.length();
}

// Of a force or a couple.
double effort_unit(const UsdStage& stage, const JointSpec& joint, std::size_t k) {
  return stage.mass() * stage.length() * (is_angle(joint, k) ? stage.length() : 1);
}

std::array<double, 2> read_pair(UsdStage& stage, const UsdPrim& prim, const UsdJointForm& form, std::size_t k) {
  const std::string& token = form.tokens[k];
  const bool typed = token == "angular" || token == "linear";
  if (!typed && !usd_applied(prim, fmt::format("PhysicsLimitAPI:{}", token))) return {-kInfinity, kInfinity};
  const std::string low = typed ? "physics:lowerLimit" : fmt::format("limit:{}:physics:low", token);
  const std::string high = typed ? "physics:upperLimit" : fmt::format("limit:{}:physics:high", token);
  std::array<double, 2> pair = {stage.number(prim, low).value_or(-kInfinity),
                                stage.number(prim, high).value_or(kInfinity)};
  for (double& bound : pair) {
    // The largest float stands for infinity in files of other programs.
    if (std::abs(bound) >= kEndless) bound = std::copysign(kInfinity, bound);
  }
  return pair;
}

struct Drive {
  double stiffness = 0, damping = 0, rest = 0, load = 0;
};

// Force = stiffness (target - q) + damping (target rate - dq/dt): a spring, a damper and a constant load.
Drive read_drive(UsdStage& stage, const UsdPrim& prim, const std::string& token, std::size_t k, JointSpec& joint) {
  const auto key = [&](const char* name) { return fmt::format("drive:{}:physics:{}", token, name); };
  const double effort = effort_unit(stage, joint, k);
  const double position = position_unit(stage, joint, k);
  Drive drive;
  drive.stiffness = stage.finite(prim, key("stiffness"), 0) * effort / position;
  drive.damping = stage.finite(prim, key("damping"), 0) * effort / position;
  drive.rest = stage.finite(prim, key("targetPosition"), 0) * position;
  // The part of the damper's force that does not depend on the rate.
  drive.load = drive.damping * stage.finite(prim, key("targetVelocity"), 0) * position;
  const double most = stage.number(prim, key("maxForce")).value_or(kInfinity);
  const bool acts = drive.stiffness != 0 || drive.damping != 0;
  if (std::abs(most) < kEndless) {
    // Ours bounds the loads of a joint and not its springs.
    if (!joint.effort_limit) joint.effort_limit = most * effort;
    if (acts) {
      stage.note_once(stage.line_of(prim, key("maxForce")),
                      "maxForce of drives with a stiffness or a damping: these are not bounded", "maxForce",
                      Effect::kForces);
    }
  }
  if (acts && stage.token(prim, key("type"), "force") == "acceleration") {
    stage.note_once(prim.line, "drives of type acceleration: read as drives of type force", "acceleration",
                    Effect::kForces);
  }
  return drive;
}

model::ForceSpec make_load(const JointSpec& joint, double value, bool torque) {
  model::LoadSpec load;
  load.joint = joint.name;
  load.torque = torque;
  // Its shortest text reads back as the same number.
  load.value = {*model::parse_expression(number_text(value))};
  return {joint.name + "_drive", load, joint.where};
}

bool any(const std::vector<double>& list) {
  return std::any_of(list.begin(), list.end(), [](double x) { return x != 0; });
}

}  // namespace

void read_usd_limits(UsdStage& stage, const UsdPrim& prim, const UsdJointForm& form, JointSpec& joint) {
  std::vector<std::array<double, 2>> limits;
  bool limited = false;
  for (std::size_t k = 0; k < form.tokens.size(); ++k) {
    limits.push_back(read_pair(stage, prim, form, k));
    limited = limited || std::isfinite(limits[k][0]) || std::isfinite(limits[k][1]);
  }
  if (!limited) return;
  if (joint.type == JointType::kSpherical || joint.type == JointType::kFree) {
    stage.note_once(prim.line, "limits of joints with three turns: not read", "limit", Effect::kForces);
    return;
  }
  for (std::size_t k = 0; k < limits.size(); ++k) {
    for (double& bound : limits[k]) {
      // Ours has both sides on every coordinate, or none.
      bound = std::isfinite(bound) ? bound * position_unit(stage, joint, k) : std::copysign(kSdfNoLimit, bound);
    }
  }
  joint.limits = std::move(limits);
}

void read_usd_drives(UsdStage& stage, const UsdPrim& prim, const UsdJointForm& form, UsdJoint& read) {
  JointSpec& joint = read.joints[0];
  std::vector<double> stiffness, damping, rest;
  for (std::size_t k = 0; k < form.tokens.size(); ++k) {
    const bool driven = usd_applied(prim, "PhysicsDriveAPI:" + form.tokens[k]);
    const Drive drive = driven ? read_drive(stage, prim, form.tokens[k], k, joint) : Drive();
    joint.actuated = joint.actuated || driven;
    stiffness.push_back(drive.stiffness);
    damping.push_back(drive.damping);
    rest.push_back(drive.rest);
    if (drive.load == 0) continue;
    if (form.tokens.size() == 1) {
      read.forces.push_back(make_load(joint, drive.load, is_angle(joint, k)));
    } else {
      stage.note_once(prim.line, "targetVelocity of a joint with several coordinates: not read", "targetVelocity",
                      Effect::kForces);
    }
  }
  // A list of zeros says the same as none.
  if (any(stiffness)) joint.stiffness = std::move(stiffness);
  if (any(damping)) joint.damping = std::move(damping);
  if (any(rest)) joint.rest = std::move(rest);
}

void read_usd_own(UsdStage& stage, const UsdPrim& prim, JointSpec& joint) {
  const bool single = model::joint_kind(joint.type).freedom == 1;
  if (single) {
    // Two words of PhysX that are widely used.
    const double inertia = stage.mass() * (is_angle(joint, 0) ? stage.length() * stage.length() : 1);
    const double armature = inertia * stage.finite(prim, "physxJoint:armature", 0);
    if (armature != 0) joint.armature = {armature};
    const double fastest = stage.number(prim, "physxJoint:maxJointVelocity").value_or(kInfinity);
    // PhysX writes a million for none.
    if (std::abs(fastest) < 1e6) joint.velocity_limit = fastest * position_unit(stage, joint, 0);
  }
  // Ours are in SI units and radians whatever the file counts in.
  const auto take = [&](const char* name, std::vector<double>& into) {
    std::vector<double> values = stage.list(prim, name);
    if (!values.empty()) into = std::move(values);
  };
  take("espalier:velocity", joint.velocity);
  take("espalier:friction", joint.friction);
  take("espalier:armature", joint.armature);
  take("espalier:rest", joint.rest);
  const auto limit = [&](const char* name, std::optional<double>& into) {
    if (stage.find_property(prim, name) != nullptr) into = stage.finite(prim, name, 0);
  };
  limit("espalier:effort_limit", joint.effort_limit);
  limit("espalier:velocity_limit", joint.velocity_limit);
  joint.actuated = stage.flag(prim, "espalier:actuated", joint.actuated);
  joint.reaction_wanted = stage.flag(prim, "espalier:reaction_wanted", false);
}

}  // namespace espalier::formats::detail
