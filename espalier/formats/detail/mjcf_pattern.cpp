#include "espalier/formats/detail/mjcf_pattern.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "espalier/base/index.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using model::JointType;
using Type = MjcfJoint::Type;
using Joints = std::vector<MjcfJoint>;

// Axes that miss a right angle or a common point by more than this [-], [m] make no joint of ours.
constexpr double kExact = 1e-9;

bool parallel(const Vector3d& a, const Vector3d& b) { return (a - b).norm() < kExact; }
bool perpendicular(const Vector3d& a, const Vector3d& b) { return std::abs(a.dot(b)) < kExact; }

// The order counts: MJCF's joints act one after the other, the first of them nearest to the parent.
bool types_are(const Joints& joints, std::initializer_list<Type> types) {
  return std::equal(joints.begin(), joints.end(), types.begin(), types.end(),
                    [](const MjcfJoint& joint, Type type) { return joint.type == type; });
}

math::Pose turn(const Vector3d& axis, double angle) { return {Vector3d::Zero(), math::rotation_about(axis, angle)}; }
math::Pose shift(double x, double y, double z) { return {Vector3d(x, y, z), Quaterniond::Identity()}; }

// "n" where the joints are called n__1, n__2, ... in the order of `coordinates`.
std::string common_name(const Joints& joints, const std::vector<int>& coordinates) {
  std::string name;
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    // A pattern sorts its joints by our coordinates, and the numbers in the names must follow that order.
    const std::string& full = joints[to_index(coordinates[k])].name;
    const std::string ending = "__" + std::to_string(k + 1);
    if (full.size() <= ending.size() || !full.ends_with(ending)) return "";
    const std::string stem = full.substr(0, full.size() - ending.size());
    if (k > 0 && stem != name) return "";
    name = stem;
  }
  return name;
}

std::string joined_name(const Joints& joints, const std::vector<int>& coordinates) {
  std::string name = common_name(joints, coordinates);
  if (!name.empty()) return name;
  for (const MjcfJoint& joint : joints) {
    if (joint.name.empty()) continue;
    if (!name.empty()) name += '+';
    name += joint.name;
  }
  return name;
}

// Either all coordinates have limits or none has: our joints know no half-limited lists.
bool same_limits(const Joints& joints) {
  return std::all_of(joints.begin(), joints.end(),
                     [&](const MjcfJoint& joint) { return joint.range.has_value() == joints[0].range.has_value(); });
}

MjcfPattern match_one(const MjcfJoint& joint) {
  MjcfPattern pattern;
  pattern.name = joint.name;
  pattern.coordinates = {0};
  pattern.J = {joint.pos, math::rotation_with_z(joint.axis)};
  switch (joint.type) {
    case Type::kHinge:
      pattern.type = JointType::kRevolute;
      // B undoes `ref`: in the drawn pose MJCF's coordinate reads ref, and so must ours.
      pattern.B = turn(Vector3d::UnitZ(), joint.ref);
      break;
    case Type::kSlide:
      pattern.type = JointType::kPrismatic;
      pattern.B = shift(0, 0, joint.ref);
      break;
    case Type::kBall:
      pattern.type = JointType::kSpherical;
      // A ball has no axis; its quaternion counts in the axes of the body.
      pattern.J.rotation.setIdentity();
      break;
    case Type::kFree:
      pattern.type = JointType::kFree;
      break;
  }
  return pattern;
}

std::optional<MjcfPattern> match_universal(const Joints& joints) {
  const MjcfJoint& first = joints[0];
  const MjcfJoint& second = joints[1];
  // Two hinges make a universal joint where their axes stand square and meet in a point.
  const Vector3d between = second.pos - first.pos;
  const Vector3d normal = first.axis.cross(second.axis);
  // The distance of the two lines is the share of `between` along their common normal.
  const bool meet = std::abs(between.dot(normal)) < kExact * (1 + between.norm());
  if (!perpendicular(first.axis, second.axis) || !meet) return std::nullopt;
  MjcfPattern pattern;
  pattern.type = JointType::kUniversal;
  // The centre of the joint is where the second axis crosses the first.
  pattern.J.position = first.pos + between.dot(first.axis) * first.axis;
  // Suffixes in falling order: the joint was written seen from its b.
  pattern.reversed = common_name(joints, {0, 1}).empty() && !common_name(joints, {1, 0}).empty();
  if (!pattern.reversed) {
    pattern.coordinates = {0, 1};
    pattern.J.rotation = math::rotation_with_xy(first.axis, second.axis);
    pattern.A = turn(Vector3d::UnitX(), -first.ref);
    pattern.B = turn(Vector3d::UnitY(), second.ref);
  } else {
    // T = R(first, u1) R(second, u0) = [Rx(u0) Ry(u1)]^-1 with x = -second and y = -first.
    pattern.coordinates = {1, 0};
    pattern.J.rotation = math::rotation_with_xy(-second.axis, -first.axis);
    pattern.A = turn(Vector3d::UnitY(), first.ref);
    pattern.B = turn(Vector3d::UnitX(), -second.ref);
  }
  return pattern;
}

// A slide of a screw carries no law of its own: it moves only because the hinge turns.
bool bare(const MjcfJoint& joint) {
  return !joint.range && !joint.effort && joint.stiffness == 0 && joint.damping == 0 && joint.friction == 0 &&
         joint.armature == 0;
}

const MjcfScrew* find_screw(const MjcfState& state, const Joints& joints) {
  for (int k = 0; k < 2; ++k) {
    const auto found = state.screws.find(joints[to_index(k)].name);
    if (found != state.screws.end() && found->second.hinge == joints[to_index(1 - k)].name) {
      return &found->second;
    }
  }
  return nullptr;
}

std::optional<MjcfPattern> match_on_axis(const MjcfState& state, const Joints& joints) {
  const int slide = joints[0].type == Type::kSlide ? 0 : 1;
  const MjcfJoint& along = joints[to_index(slide)];
  const MjcfJoint& about = joints[to_index(1 - slide)];
  // The file lists slide and hinge in either order; on one axis they commute.
  if (!parallel(along.axis, about.axis)) return std::nullopt;
  MjcfPattern pattern;
  pattern.J = {about.pos, math::rotation_with_z(about.axis)};
  if (const MjcfScrew* screw = find_screw(state, joints)) {
    pattern.type = JointType::kScrew;
    pattern.name = about.name;
    // MJCF counts metres per radian, our pitch metres per turn.
    pattern.pitch = 2 * std::numbers::pi * screw->slope;
    pattern.coordinates = {1 - slide};
    pattern.B = shift(0, 0, screw->slope * about.ref) * turn(Vector3d::UnitZ(), about.ref);
    // Springs or limits on the dependent slide would be lost with it.
    return bare(along) ? std::optional(pattern) : std::nullopt;
  }
  pattern.type = JointType::kCylindrical;
  pattern.coordinates = {slide, 1 - slide};
  pattern.B = shift(0, 0, along.ref) * turn(Vector3d::UnitZ(), about.ref);
  return same_limits(joints) ? std::optional(pattern) : std::nullopt;
}

std::optional<MjcfPattern> match_planar(const Joints& joints) {
  MjcfPattern pattern;
  pattern.type = JointType::kPlanar;
  pattern.reversed = joints[0].type == Type::kHinge;
  int x = pattern.reversed ? 1 : 0;
  int y = x + 1;
  const MjcfJoint& about = joints[pattern.reversed ? 0 : 2];
  const auto axis = [&](int k) -> const Vector3d& { return joints[to_index(k)].axis; };
  const Vector3d normal = pattern.reversed ? Vector3d(-about.axis) : about.axis;
  // Slides commute; the right-handed order is ours.
  if (axis(x).cross(axis(y)).dot(normal) < 0) std::swap(x, y);
  // The hinge must turn about the normal of the two slides.
  if (!perpendicular(axis(x), axis(y)) || !parallel(axis(x).cross(axis(y)), normal)) return std::nullopt;
  pattern.coordinates = {x, y, pattern.reversed ? 0 : 2};
  const double rx = joints[to_index(x)].ref;
  const double ry = joints[to_index(y)].ref;
  if (!pattern.reversed) {
    pattern.J = {about.pos, math::rotation_with_xy(axis(x), axis(y))};
    pattern.A = shift(-rx, -ry, 0);
    pattern.B = turn(Vector3d::UnitZ(), about.ref);
  } else {
    // T = Rz(-q2) Trans(-q0, -q1) = [Trans(q0, q1) Rz(q2)]^-1: the file's axes are -z, -x and -y of ours.
    pattern.J = {about.pos, math::rotation_with_xy(-axis(x), -axis(y))};
    pattern.A = turn(Vector3d::UnitZ(), about.ref);
    pattern.B = shift(-rx, -ry, 0);
  }
  return pattern;
}

std::optional<MjcfPattern> match_free(const Joints& joints) {
  const Vector3d& x = joints[0].axis;
  const Vector3d& y = joints[1].axis;
  // Three slides must be right-handed in their order, as the coordinates of our free joint are.
  if (!perpendicular(x, y) || !parallel(x.cross(y), joints[2].axis)) return std::nullopt;
  for (const MjcfJoint& joint : joints) {
    // A free joint of ours has no limits.
    if (joint.range) return std::nullopt;
  }
  MjcfPattern pattern;
  pattern.type = JointType::kFree;
  pattern.coordinates = {0, 1, 2, 3};
  pattern.J = {joints[3].pos, math::rotation_with_xy(x, y)};
  pattern.ball_axes = pattern.J.rotation;
  pattern.A = shift(-joints[0].ref, -joints[1].ref, -joints[2].ref);
  return pattern;
}

}  // namespace

std::optional<MjcfPattern> match_joints(const MjcfState& state, const Joints& joints) {
  using enum MjcfJoint::Type;
  if (joints.size() == 1) return match_one(joints[0]);
  // Each sequence of types can match one of our joints only, so that the order of these tests does not matter.
  std::optional<MjcfPattern> pattern;
  if (types_are(joints, {kSlide, kHinge}) || types_are(joints, {kHinge, kSlide}))
    pattern = match_on_axis(state, joints);
  if (types_are(joints, {kHinge, kHinge})) pattern = match_universal(joints);
  if (types_are(joints, {kSlide, kSlide, kHinge}) || types_are(joints, {kHinge, kSlide, kSlide})) {
    pattern = match_planar(joints);
  }
  if (types_are(joints, {kSlide, kSlide, kSlide, kBall})) pattern = match_free(joints);
  if (!pattern || pattern->type == JointType::kScrew) return pattern;
  // A coordinate that an equality names must stay one joint of its own, or the equality would lose it.
  const auto coupled = [&](const MjcfJoint& joint) { return state.coupled.count(joint.name) > 0; };
  if (std::any_of(joints.begin(), joints.end(), coupled)) return std::nullopt;
  if (pattern->type != JointType::kFree && !same_limits(joints)) return std::nullopt;
  if (pattern->name.empty()) pattern->name = joined_name(joints, pattern->coordinates);
  return pattern;
}

}  // namespace espalier::formats::detail
