#include "espalier/formats/detail/usd_body.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/math/inertia.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using model::BodySpec;
using model::Effect;

// Water, where nobody says of what a shape is [kg/m^3].
constexpr double kUsualDensity = 1000;
// A ball that stands for a body with a mass and no shape [m].
constexpr double kStandInRadius = 0.1;

math::Inertia scaled(const math::Inertia& inertia, double factor) {
  return {inertia.mass * factor, inertia.com, inertia.about_com * factor};
}

// All shapes that collide, each with its mass or its density.
std::optional<math::Inertia> inertia_of_shapes(UsdStage& stage, const BodySpec& body,
                                               std::span<const UsdShape> shapes) {
  std::optional<math::Inertia> sum;
  for (const UsdShape& each : shapes) {
    if (!each.collides) continue;
    const std::optional<math::Inertia> solid = each.has_volume ? model::solid_inertia(each.shape) : std::nullopt;
    if (!solid || !(solid->mass > 0)) {
      // A plane has no volume for anybody; a mesh has one.
      if (each.has_volume && each.shape.kind == model::ShapeKind::kPlane) continue;
      stage.note_once(body.where.line, "bodies whose mass follows from a mesh: what the mesh weighs is not counted",
                      "mesh_mass", Effect::kForces);
      continue;
    }
    // A mass counts before a density, both before the usual one.
    const double density = each.density > 0 ? each.density : kUsualDensity;
    const double factor = each.mass > 0 ? each.mass / solid->mass : density;
    const math::Inertia part = scaled(math::transformed(each.shape.pose, *solid), factor);
    sum = sum ? *sum + part : part;
  }
  return sum;
}

// Moments about a point beside the centre of mass: the parallel-axis theorem.
Matrix3d moved(const math::Inertia& inertia, const Vector3d& to) {
  const Vector3d d = to - inertia.com;
  return inertia.about_com + inertia.mass * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose());
}

std::optional<Matrix3d> read_moments(UsdStage& stage, const UsdPrim& prim, const UsdNode& node) {
  const double unit = stage.mass() * stage.length() * stage.length();
  // Zero moments mean "not said" to USD: those of a point mass are ours.
  const std::optional<Vector3d> own = stage.vector(prim, "espalier:inertia");
  if (own) return Matrix3d((unit * *own).asDiagonal());
  const std::optional<Vector3d> moments = stage.vector(prim, "physics:diagonalInertia");
  // Zero stands for "not said".
  if (!moments || moments->isZero(0)) return std::nullopt;
  const Vector3d principal = unit * *moments;
  const Eigen::Quaterniond axes = stage.rotation(prim, "physics:principalAxes");
  const std::optional<UsdScale> parts = usd_scale(node.X_W.stretch);
  const Matrix3d R = (parts->turn.conjugate() * axes).toRotationMatrix();
  // Left alone where the axes agree, so that what was written comes back to the last bit.
  if (R == Matrix3d::Identity()) return Matrix3d(principal.asDiagonal());
  const Matrix3d turned = R * principal.asDiagonal() * R.transpose();
  return Matrix3d((turned + turned.transpose()) / 2);
}

std::optional<Vector3d> read_com(UsdStage& stage, const UsdPrim& prim, const UsdNode& node) {
  const std::optional<Vector3d> com = stage.vector(prim, "physics:centerOfMass");
  // Newer files write -inf where nothing is meant.
  if (!com || !com->allFinite()) return std::nullopt;
  return Vector3d(node.in_body * *com);
}

// 1. What PhysicsMassAPI says. 2. What it leaves open follows from the shapes. 3. Without shapes a small ball.
void read_mass(UsdStage& stage, const UsdNode& node, std::span<const UsdShape> shapes, BodySpec& body) {
  const UsdPrim& prim = *node.prim;
  const bool applied = usd_applied(prim, "PhysicsMassAPI");
  if (!applied && prim.properties.contains("physics:mass")) {
    stage.note_once(prim.line, "physics:mass of a prim without PhysicsMassAPI: not read, as USD defines", "mass",
                    Effect::kDoubt);
  }
  std::optional<double> mass;
  std::optional<Vector3d> com;
  std::optional<Matrix3d> moments;
  if (applied) {
    const double given = stage.mass() * stage.finite(prim, "physics:mass", 0);
    // Zero is USD's default and stands for "find it".
    if (given != 0 || prim.properties.contains("espalier:massless")) mass = given;
    com = read_com(stage, prim, node);
    moments = read_moments(stage, prim, node);
    if (mass == 0.0) moments = Matrix3d::Zero();
  }
  const std::optional<math::Inertia> found = mass && moments ? std::nullopt : inertia_of_shapes(stage, body, shapes);
  body.mass = mass ? *mass : found ? found->mass : 0;
  body.com = com ? *com : found ? found->com : Vector3d(Vector3d::Zero());
  if (!moments && found && found->mass > 0) {
    // The shapes say how the mass is spread, the prim how much it is.
    const math::Inertia weighed = scaled(*found, *body.mass / found->mass);
    moments = com ? moved(weighed, *com) : weighed.about_com;
  }
  if (!mass && !found) {
    stage.note(prim.line, usd_named("body", prim) + " has no mass and no shape to find one: it is without mass", "mass",
               Effect::kForces);
    moments = Matrix3d::Zero();
  } else if (!moments) {
    stage.note(prim.line, fmt::format("{} has a mass, and neither moments of inertia nor a shape: those of a ball of "
                                      "{} m",
                                      usd_named("body", prim), kStandInRadius));
    moments = 0.4 * *body.mass * kStandInRadius * kStandInRadius * Matrix3d::Identity();
  }
  body.inertia = *moments;
}

// In the axes of the parent, as USD has the pose itself.
void read_velocity(UsdStage& stage, const UsdNode& node, BodySpec& body) {
  const Vector3d linear = stage.vector(*node.prim, "physics:velocity").value_or(Vector3d::Zero());
  const Vector3d angular = stage.vector(*node.prim, "physics:angularVelocity").value_or(Vector3d::Zero());
  if (linear.isZero(0) && angular.isZero(0)) return;
  // A body that resets its transforms has its parent's axes no longer.
  const bool in_world = node.parent < 0 || node.reset;
  const Eigen::Quaterniond R_W = in_world ? Eigen::Quaterniond::Identity() : stage.node(node.parent).X_W.rotation;
  body.velocity.emplace();
  body.velocity->linear = R_W * (stage.length() * linear);
  body.velocity->angular = R_W * (std::numbers::pi / 180 * angular);
}

void note_unread(UsdStage& stage, const UsdPrim& prim) {
  // Of another program's schemas only what changes the motion, and is not switched off.
  if (stage.flag(prim, "physxRigidBody:disableGravity", false)) {
    stage.note_once(prim.line, "bodies without gravity: not read; gravity acts on all bodies", "gravity",
                    Effect::kForces);
  }
  for (const char* name : {"physxRigidBody:linearDamping", "physxRigidBody:angularDamping"}) {
    if (stage.finite(prim, name, 0) == 0) continue;
    stage.note_once(stage.line_of(prim, name), fmt::format("{}: not read", name), "damping", Effect::kForces);
  }
}

}  // namespace

BodySpec read_usd_body(UsdStage& stage, int index, std::span<const UsdShape> shapes) {
  const UsdNode& node = stage.node(index);
  const UsdPrim& prim = *node.prim;
  BodySpec body;
  body.where = stage.where(prim.line);
  body.pose = node.X_WB;
  for (const UsdShape& each : shapes) {
    if (each.has_volume) body.shapes.push_back(each.shape);
  }
  note_unread(stage, prim);
  // What is moved from outside stands still as long as nothing moves it.
  if (stage.flag(prim, "physics:kinematicEnabled", false)) {
    body.kind = model::BodyKind::kObstacle;
    return body;
  }
  read_mass(stage, node, shapes, body);
  read_velocity(stage, node, body);
  // A lump without moments is a point; only our own files have such.
  const bool point = *body.mass > 0 && body.inertia->isZero(0);
  if (point) {
    body.kind = model::BodyKind::kPoint;
    body.inertia.reset();
  }
  return body;
}

}  // namespace espalier::formats::detail
