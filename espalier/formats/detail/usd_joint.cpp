#include "espalier/formats/detail/usd_joint.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using model::Effect;
using model::JointSpec;
using model::JointType;

constexpr std::array<std::string_view, 6> kTypes = {"PhysicsJoint",          "PhysicsFixedJoint",
                                                    "PhysicsRevoluteJoint",  "PhysicsPrismaticJoint",
                                                    "PhysicsSphericalJoint", "PhysicsDistanceJoint"};

std::string token_of(bool turns, int axis) { return std::string(kUsdDirections[to_index(axis + (turns ? 3 : 0))]); }

// About or along one axis.
UsdJointForm about(JointType type, int axis, std::vector<std::string> tokens) {
  return {type, usd_axis_turn(axis), std::move(tokens)};
}

UsdJointForm all_turns(JointType type, std::vector<std::string> tokens) {
  for (int k = 0; k < 3; ++k) tokens.push_back(token_of(true, k));
  return {type, Quaterniond::Identity(), std::move(tokens)};
}

// Which directions of a PhysicsJoint are free: one whose lower limit is above the upper one is locked.
std::array<bool, 6> free_directions(UsdStage& stage, const UsdPrim& prim) {
  std::array<bool, 6> free = {true, true, true, true, true, true};
  for (std::size_t k = 0; k < free.size(); ++k) {
    // Without the schema the two numbers mean nothing, and the direction is free.
    if (!usd_applied(prim, fmt::format("PhysicsLimitAPI:{}", kUsdDirections[k]))) continue;
    const double infinity = std::numeric_limits<double>::infinity();
    const double low = stage.number(prim, fmt::format("limit:{}:physics:low", kUsdDirections[k])).value_or(-infinity);
    const double high = stage.number(prim, fmt::format("limit:{}:physics:high", kUsdDirections[k])).value_or(infinity);
    free[k] = !(low > high);
  }
  return free;
}

// Two turns: USD has the twist about x of body 1 behind the swing about an axis of body 0, ours is Rx(q0) Ry(q1).
std::optional<UsdJointForm> universal_form(int first, int second) {
  constexpr double kHalf = 0.70710678118654752;
  // The turn of the frame brings our x onto the swing's axis and our y onto the twist's.
  if (first == 0 && second == 1) return UsdJointForm{JointType::kUniversal, {0, kHalf, kHalf, 0}, {"rotY", "rotX"}};
  if (first == 0 && second == 2) return UsdJointForm{JointType::kUniversal, usd_axis_turn(1), {"rotZ", "rotX"}};
  // Swings about both other axes without a twist: no two hinges do that.
  return std::nullopt;
}

// The one of our types with these directions free.
std::optional<UsdJointForm> form_of(const std::array<bool, 6>& free) {
  std::vector<int> slides, turns;
  for (int k = 0; k < 3; ++k) {
    if (free[to_index(k)]) slides.push_back(k);
    if (free[to_index(k + 3)]) turns.push_back(k);
  }
  if (slides.empty() && turns.empty()) return UsdJointForm{};
  if (slides.empty() && turns.size() == 1) return about(JointType::kRevolute, turns[0], {token_of(true, turns[0])});
  if (slides.size() == 1 && turns.empty()) return about(JointType::kPrismatic, slides[0], {token_of(false, slides[0])});
  if (slides.empty() && turns.size() == 2) return universal_form(turns[0], turns[1]);
  if (slides.empty() && turns.size() == 3) return all_turns(JointType::kSpherical, {});
  // Along and about the same axis; a slide across its turn is no joint of ours.
  if (slides.size() == 1 && turns == slides) {
    return about(JointType::kCylindrical, turns[0], {token_of(false, turns[0]), token_of(true, turns[0])});
  }
  // Two slides in the plane across the axis of the turn.
  if (slides.size() == 2 && turns.size() == 1 && !free[to_index(turns[0])]) {
    const int z = turns[0];
    return about(JointType::kPlanar, z,
                 {token_of(false, (z + 1) % 3), token_of(false, (z + 2) % 3), token_of(true, z)});
  }
  if (slides.size() == 3 && turns.size() == 3) return all_turns(JointType::kFree, {"transX", "transY", "transZ"});
  return std::nullopt;
}

UsdJointForm generic_form(UsdStage& stage, const UsdPrim& prim) {
  const std::array<bool, 6> free = free_directions(stage, prim);
  // A joint and a rope in one prim: ours are two things.
  if (usd_applied(prim, "PhysicsLimitAPI:distance")) {
    stage.fail(ErrorCode::kUnsupported, prim.line,
               fmt::format("{} limits a distance; write a PhysicsDistanceJoint beside it", usd_named("joint", prim)));
  }
  std::optional<UsdJointForm> form = form_of(free);
  if (!form) {
    std::vector<std::string_view> names;
    for (std::size_t k = 0; k < free.size(); ++k) {
      if (free[k]) names.push_back(kUsdDirections[k]);
    }
    stage.fail(ErrorCode::kUnsupported, prim.line,
               fmt::format("{} is free in {}, and no joint here is; write two joints with a light body between",
                           usd_named("joint", prim), fmt::join(names, ", ")));
    return {};
  }
  // Our screw is a cylindrical joint to other readers.
  if (form->type == JointType::kCylindrical && prim.properties.contains("espalier:pitch")) {
    form->type = JointType::kScrew;
    // Its slide follows the turn and has no limits or drive of its own.
    form->tokens.erase(form->tokens.begin());
  }
  return *form;
}

UsdJointForm read_form(UsdStage& stage, const UsdPrim& prim) {
  if (prim.type == "PhysicsRevoluteJoint")
    return about(JointType::kRevolute, stage.axis(prim, "physics:axis", 'X'), {"angular"});
  if (prim.type == "PhysicsPrismaticJoint")
    return about(JointType::kPrismatic, stage.axis(prim, "physics:axis", 'X'), {"linear"});
  if (prim.type == "PhysicsSphericalJoint") return all_turns(JointType::kSpherical, {});
  return prim.type == "PhysicsJoint" ? generic_form(stage, prim) : UsdJointForm{};
}

// One end: the body, and USD's frame of the joint in it. An end that names nothing is the world, where its frame counts
// from the origin of the stage; one that names a prim which nothing moves is at that prim and stands still too.
struct End {
  std::string body = model::kGround;
  math::Pose X_BF;
};

End read_end(UsdStage& stage, const UsdPrim& prim, char number, std::span<const std::string> bodies) {
  End end;
  const Vector3d point = stage.vector(prim, fmt::format("physics:localPos{}", number)).value_or(Vector3d::Zero());
  const Quaterniond rotation = stage.rotation(prim, fmt::format("physics:localRot{}", number));
  end.X_BF = {stage.length() * point, rotation};
  const std::vector<std::string> targets = stage.targets(prim, fmt::format("physics:body{}", number));
  // No target is the world.
  if (targets.empty()) return end;
  const std::optional<int> index = stage.find(prim, targets[0]);
  if (!index) return end;
  const UsdNode& node = stage.node(*index);
  if (node.body == *index) {
    end.body = bodies[to_index(*index)];
    // The file's units and the body's scale are both in `in_body`.
    end.X_BF.position = node.in_body * point;
    const std::optional<UsdScale> parts = usd_scale(node.X_W.stretch);
    end.X_BF.rotation = parts->turn.conjugate() * rotation;
    return end;
  }
  // A prim that is no body gives the frame, and what moves it, if anything does, the body.
  const UsdTransform& X_W = node.X_W;
  const math::Pose X_WF{stage.length() * (X_W.position + X_W.rotation * (X_W.stretch * point)),
                        X_W.rotation * rotation};
  end.X_BF = node.body < 0 ? X_WF : math::relative_pose(stage.node(node.body).X_WB, X_WF);
  if (node.body >= 0) end.body = bodies[to_index(node.body)];
  return end;
}

// A rope, a rod or both: a spring without stiffness whose length has limits.
model::ForceSpec read_rope(UsdStage& stage, const UsdPrim& prim, const std::string& name, const End& a, const End& b) {
  const double low = stage.finite(prim, "physics:minDistance", -1);
  const double high = stage.finite(prim, "physics:maxDistance", -1);
  model::SpringSpec rope;
  rope.a = a.body;
  rope.b = b.body;
  rope.point_a = a.X_BF.position;
  rope.point_b = b.X_BF.position;
  // Negative is "not limited"; a spring wants both numbers.
  rope.limits = {low < 0 ? 0 : stage.length() * low, high < 0 ? model::kNoLimit : stage.length() * high};
  return {name, rope, stage.where(prim.line)};
}

void note_unread(UsdStage& stage, const UsdPrim& prim) {
  for (const char* name : {"physics:breakForce", "physics:breakTorque"}) {
    const double value = stage.number(prim, name).value_or(std::numeric_limits<double>::infinity());
    // Infinite, the default, is a joint that holds.
    if (std::isinf(value)) continue;
    stage.note_once(stage.line_of(prim, name), "joints that break: not read; they hold", "break", Effect::kForces);
  }
  if (stage.flag(prim, "physics:collisionEnabled", false)) {
    stage.note_once(stage.line_of(prim, "physics:collisionEnabled"),
                    "joints whose bodies may touch: not read; bodies that a joint connects do not touch",
                    "collisionEnabled", Effect::kContact);
  }
  for (const char* name : {"physics:coneAngle0Limit", "physics:coneAngle1Limit"}) {
    if (stage.number(prim, name).value_or(-1) < 0) continue;
    stage.note_once(stage.line_of(prim, name), "cone limits of ball joints: not read", "coneAngle", Effect::kForces);
  }
  if (stage.finite(prim, "physxJoint:jointFriction", 0) != 0) {
    stage.note_once(prim.line, "physxJoint:jointFriction: not read", "jointFriction", Effect::kForces);
  }
  for (const std::string& api : prim.apis) {
    const bool mimics = api.starts_with("PhysxMimicJointAPI") || api.starts_with("NewtonMimicAPI");
    if (mimics) stage.note_once(prim.line, "joints that mimic others: not read", "mimic", Effect::kMechanism);
  }
}

bool is_known(UsdStage& stage, const UsdPrim& prim) {
  if (std::find(kTypes.begin(), kTypes.end(), prim.type) != kTypes.end()) return true;
  // Of a type of another program's schema nobody knows what it holds.
  if (!prim.type.starts_with("Physics")) {
    stage.note_once(prim.line, fmt::format("joints of type {}: not read", prim.type), prim.type, Effect::kMechanism);
    return false;
  }
  const std::vector<std::string> names(kTypes.begin(), kTypes.end());
  stage.fail(ErrorCode::kValue, prim.line,
             fmt::format("{} has an unknown type {}{}", usd_named("joint", prim), in_quotes(prim.type),
                         did_you_mean(prim.type, names)));
  return false;
}

}  // namespace

Quaterniond usd_axis_turn(int axis) {
  if (axis == 0) return {0.5, 0.5, 0.5, 0.5};
  if (axis == 1) return {0.5, -0.5, -0.5, -0.5};
  return Quaterniond::Identity();
}

UsdJointForm usd_written_form(JointType type) {
  switch (type) {
    case JointType::kRevolute:
      return {type, Quaterniond::Identity(), {"angular"}};
    case JointType::kPrismatic:
      return {type, Quaterniond::Identity(), {"linear"}};
    case JointType::kScrew:
      return {type, Quaterniond::Identity(), {"rotZ"}};
    case JointType::kUniversal:
      return *universal_form(0, 2);
    case JointType::kCylindrical:
      return {type, Quaterniond::Identity(), {"transZ", "rotZ"}};
    case JointType::kSpherical:
      return all_turns(type, {});
    case JointType::kPlanar:
      return {type, Quaterniond::Identity(), {"transX", "transY", "rotZ"}};
    case JointType::kFree:
      return all_turns(type, {"transX", "transY", "transZ"});
    case JointType::kFixed:
      break;
  }
  return {};
}

bool is_usd_joint(std::string_view type) { return type.ends_with("Joint"); }

UsdJoint read_usd_joint(UsdStage& stage, const UsdPrim& prim, const std::string& name,
                        std::span<const std::string> bodies) {
  UsdJoint read;
  if (!is_known(stage, prim)) return read;
  if (!stage.flag(prim, "physics:jointEnabled", true)) {
    stage.note_once(prim.line, "joints that are not enabled: not read", "", Effect::kNone);
    return read;
  }
  const End a = read_end(stage, prim, '0', bodies);
  const End b = read_end(stage, prim, '1', bodies);
  if (stage.failed()) return read;
  const bool named = !stage.targets(prim, "physics:body0").empty() || !stage.targets(prim, "physics:body1").empty();
  if (a.body == model::kGround && b.body == model::kGround && named) {
    // UsdPhysics: of the two at least one must be a rigid body, or be in one.
    stage.note_once(prim.line, "joints between two things that stand still: not read", "", Effect::kNone);
    return read;
  }
  // After both ends are resolved: two prims below one body are the same body.
  if (a.body == b.body) {
    stage.fail(ErrorCode::kTopology, prim.line,
               fmt::format("{} joins {} to itself; name two bodies in physics:body0 and physics:body1, the world where "
                           "one is missing",
                           usd_named("joint", prim), in_quotes(a.body)));
    return read;
  }
  note_unread(stage, prim);
  if (prim.type == "PhysicsDistanceJoint") {
    read.forces.push_back(read_rope(stage, prim, name, a, b));
    return read;
  }
  const UsdJointForm form = read_form(stage, prim);
  JointSpec joint;
  joint.name = name;
  joint.type = form.type;
  joint.a = a.body;
  joint.b = b.body;
  joint.in_a = {a.X_BF.position, a.X_BF.rotation * form.turn};
  joint.in_b = {b.X_BF.position, b.X_BF.rotation * form.turn};
  joint.closure = stage.flag(prim, "physics:excludeFromArticulation", false);
  joint.where = stage.where(prim.line);
  if (joint.type == JointType::kScrew) joint.pitch = stage.length() * stage.finite(prim, "espalier:pitch", 0);
  // Limits before the joint is handed over, drives after it: a drive may bring a load beside its joint.
  read_usd_limits(stage, prim, form, joint);
  read.joints.push_back(std::move(joint));
  read_usd_drives(stage, prim, form, read);
  read_usd_own(stage, prim, read.joints[0]);
  return read;
}

}  // namespace espalier::formats::detail
