#include "bench/models.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/numbers.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/rotation.hpp"

namespace bench {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using espalier::Random;
using espalier::math::Pose;
using espalier::model::BodySpec;
using espalier::model::JointSpec;
using espalier::model::JointType;
using espalier::model::ModelSpec;

struct Coordinate {
  double q = 0;       // [rad] or [m]
  double v = 0;       // [rad/s] or [m/s]
  double effort = 0;  // [N m] or [N]
};

// A body to be hung on another one by a revolute or prismatic joint.
struct Draft {
  int parent = -1;  // body; -1: the ground
  JointType type = JointType::kRevolute;
  Vector3d axis = Vector3d::UnitZ();
  Pose X_PB;  // the body in its parent at q = 0; the joint is at the body's origin
  espalier::math::Inertia inertia;
  Coordinate at;
};

std::string body_name(int body) { return body < 0 ? espalier::model::kGround : fmt::format("b{}", body); }

Pose body_pose(const ModelSpec& spec, int body) { return body < 0 ? Pose{} : spec.bodies[body].pose; }

void add_body(ModelSpec& spec, const espalier::math::Inertia& inertia, const Pose& X_WB) {
  BodySpec body;
  body.name = body_name(static_cast<int>(spec.bodies.size()));
  body.mass = inertia.mass;
  body.com = inertia.com;
  body.inertia = inertia.about_com;
  body.pose = X_WB;
  spec.bodies.push_back(std::move(body));
}

JointSpec& add_joint(ModelSpec& spec, JointType type, int a, const Pose& X_AF, int b, const Pose& X_BM) {
  JointSpec joint;
  joint.name = fmt::format("j{}", spec.joints.size());
  joint.type = type;
  joint.a = body_name(a);
  joint.b = body_name(b);
  joint.in_a = X_AF;
  joint.in_b = X_BM;
  spec.joints.push_back(std::move(joint));
  return spec.joints.back();
}

void add_effort(ModelSpec& spec, const JointSpec& joint, double effort) {
  espalier::model::LoadSpec load;
  load.torque = joint.type != JointType::kPrismatic;
  load.joint = joint.name;
  load.value = {espalier::model::constant_expression(effort)};
  spec.forces.push_back({.name = {}, .law = std::move(load), .where = {}});
}

int hang(ModelSpec& spec, const Draft& draft) {
  const Pose X_BM{Vector3d::Zero(), espalier::math::rotation_with_z(draft.axis)};
  const Pose X_PF = draft.X_PB * X_BM;
  const Pose X_FM = espalier::model::joint_pose(draft.type, 0, std::array{draft.at.q});
  add_body(spec, draft.inertia, body_pose(spec, draft.parent) * X_PF * X_FM * X_BM.inverse());
  const int body = static_cast<int>(spec.bodies.size()) - 1;
  JointSpec& joint = add_joint(spec, draft.type, draft.parent, X_PF, body, X_BM);
  joint.velocity = {draft.at.v};
  if (draft.at.effort != 0) add_effort(spec, joint, draft.at.effort);
  return body;
}

Quaterniond random_rotation(Random& random) {
  const double w = random.normal();
  const double x = random.normal();
  const double y = random.normal();
  return Quaterniond(w, x, y, random.normal()).normalized();
}

// A long box, turned at random.
espalier::math::Inertia random_inertia(Random& random, double mass, double length, const Vector3d& com) {
  const double a = length * random.uniform(0.5, 1);
  const double b = length * random.uniform(0.2, 0.4);
  const double c = length * random.uniform(0.2, 0.4);
  const Matrix3d R = random_rotation(random).toRotationMatrix();
  espalier::math::Inertia inertia = espalier::math::box_inertia(mass, {a, b, c});
  inertia.com = com;
  const Matrix3d turned = R * inertia.about_com * R.transpose();
  inertia.about_com = (turned + turned.transpose()) / 2;
  return inertia;
}

Vector3d random_sideways(Random& random, double most, double z) {
  const double x = random.uniform(-most, most);
  return {x, random.uniform(-most, most), z};
}

Draft random_draft(Random& random, int parent) {
  Draft draft;
  draft.parent = parent;
  draft.axis = Vector3d::Unit(random.below(3));
  const double mass = random.uniform(0.5, 1.5);
  const double length = random.uniform(0.15, 0.3);
  draft.X_PB.rotation = random_rotation(random);
  if (parent >= 0) draft.X_PB.position = random_sideways(random, 0.1, length);
  const Vector3d com = random_sideways(random, 0.03, length / 2);
  draft.inertia = random_inertia(random, mass, length, com);
  draft.at.q = random.uniform(-1, 1);
  draft.at.v = random.uniform(-0.1, 0.1);
  draft.at.effort = random.uniform(-1, 1);
  return draft;
}

// A limb of the humanoid, joint after joint from `body` on.
class Limb {
 public:
  Limb(ModelSpec& spec, Random& random, int body) : spec_(spec), random_(random), body_(body) {}

  Limb& add(const Vector3d& axis, const Vector3d& position, double mass, double length) {
    Draft draft;
    draft.parent = body_;
    draft.axis = axis;
    draft.X_PB.position = position;
    draft.inertia = random_inertia(random_, mass, length, random_sideways(random_, 0.02, -length / 2));
    draft.at.q = random_.uniform(-0.5, 0.5);
    draft.at.v = random_.uniform(-0.5, 0.5);
    draft.at.effort = random_.uniform(-5, 5);
    body_ = hang(spec_, draft);
    return *this;
  }
  int tip() const { return body_; }

 private:
  ModelSpec& spec_;
  Random& random_;
  int body_;
};

espalier::math::Inertia inertia(double mass, const Vector3d& com, const Vector3d& moments) {
  return {.mass = mass, .com = com, .about_com = moments.asDiagonal()};
}

// Leg k of the platform: a universal joint on the ground, a slider, a spherical joint under the platform.
void add_leg(ModelSpec& spec, int k, double height) {
  const double side = k % 2 == 0 ? 1 : -1;
  const double foot_angle = M_PI / 3 * k - 0.12 * side;
  const double head_angle = M_PI / 3 * k + 0.4 * side;
  const Vector3d foot(std::cos(foot_angle), std::sin(foot_angle), 0);
  const Vector3d head(0.6 * std::cos(head_angle), 0.6 * std::sin(head_angle), height);
  const Vector3d along = head - foot;
  const double length = along.norm();
  // x of the universal joint lies flat, z runs up the leg.
  const Vector3d flat = Vector3d(-along.y(), along.x(), 0).normalized();
  const Pose X_WF{foot, espalier::math::rotation_with_xy(flat, along.cross(flat))};
  add_body(spec, inertia(2, {0, 0, 0.25}, {0.05, 0.05, 2e-3}), X_WF);
  const int cylinder = static_cast<int>(spec.bodies.size()) - 1;
  add_joint(spec, JointType::kUniversal, -1, X_WF, cylinder, Pose{});
  Draft rod;
  rod.parent = cylinder;
  rod.type = JointType::kPrismatic;
  rod.X_PB.position = {0, 0, length / 2};
  rod.inertia = inertia(1.5, {0, 0, length / 4}, {0.04, 0.04, 1e-3});
  rod.at.effort = 60;
  const int piston = hang(spec, rod);
  const Pose on_rod{{0, 0, length / 2}, Quaterniond::Identity()};
  const Pose on_platform{{head.x(), head.y(), 0}, Quaterniond::Identity()};
  add_joint(spec, JointType::kSpherical, piston, on_rod, 0, on_platform);
}

// A bar with its x axis from `from` to `to`, of 2 kg.
int add_bar(ModelSpec& spec, const Vector3d& from, const Vector3d& to) {
  const Vector3d along = to - from;
  const double across = 2 * along.squaredNorm() / 12;
  add_body(spec, inertia(2, {along.norm() / 2, 0, 0}, {2e-3, across, across}),
           Pose{from, espalier::math::rotation_with_xy(along, Vector3d::UnitY())});
  return static_cast<int>(spec.bodies.size()) - 1;
}

// A hinge about y at a point of the world.
void pin_at(ModelSpec& spec, int a, int b, const Vector3d& point) {
  const Pose X_WF{point, espalier::math::rotation_with_z(Vector3d::UnitY())};
  add_joint(spec, JointType::kRevolute, a, espalier::math::relative_pose(body_pose(spec, a), X_WF), b,
            espalier::math::relative_pose(body_pose(spec, b), X_WF));
}

}  // namespace

ModelSpec make_chain(int joints) {
  ModelSpec spec;
  spec.name = fmt::format("chain {}", joints);
  Random random(1, static_cast<std::uint32_t>(joints));
  for (int k = 0; k < joints; ++k) hang(spec, random_draft(random, k - 1));
  return spec;
}

ModelSpec make_tree(int joints) {
  ModelSpec spec;
  spec.name = fmt::format("tree {}", joints);
  Random random(2, static_cast<std::uint32_t>(joints));
  for (int k = 0; k < joints; ++k) hang(spec, random_draft(random, k == 0 ? -1 : (k - 1) / 2));
  return spec;
}

ModelSpec make_humanoid() {
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ(), here = Vector3d::Zero();
  ModelSpec spec;
  spec.name = "humanoid 36";
  Random random(3);
  const Pose X_WB{{0, 0, 1}, Quaterniond::Identity()};
  add_body(spec, random_inertia(random, 10, 0.3, {0, 0, 0.05}), X_WB);
  add_joint(spec, JointType::kFree, -1, Pose{}, 0, Pose{});
  for (const double side : {1.0, -1.0}) {
    Limb leg(spec, random, 0);
    leg.add(z, {0, 0.09 * side, -0.05}, 1.5, 0.1).add(x, here, 1.5, 0.1).add(y, here, 6, 0.4);
    leg.add(y, {0, 0, -0.4}, 4, 0.4).add(y, {0, 0, -0.4}, 0.5, 0.1).add(x, here, 1.2, 0.2);
  }
  const int torso = Limb(spec, random, 0).add(z, {0, 0, 0.1}, 3, 0.1).add(y, {0, 0, 0.1}, 14, 0.4).tip();
  for (const double side : {1.0, -1.0}) {
    Limb arm(spec, random, torso);
    arm.add(y, {0, 0.2 * side, 0.3}, 1.5, 0.1).add(x, here, 1.5, 0.1).add(z, here, 2, 0.3);
    arm.add(y, {0, 0, -0.3}, 1, 0.2).add(z, {0, 0, -0.1}, 1, 0.2);
    arm.add(x, {0, 0, -0.15}, 0.3, 0.1).add(y, here, 0.5, 0.15);
  }
  Limb(spec, random, torso).add(z, {0, 0, 0.4}, 0.5, 0.1).add(y, {0, 0, 0.05}, 3, 0.2);
  return spec;
}

ModelSpec make_ladder(int loops, double angle, double rate) {
  const double across = 1.0 / 12;
  const double thin = 1e-4;
  const Pose hinge{Vector3d::Zero(), espalier::math::rotation_with_z(Vector3d::UnitY())};
  ModelSpec spec;
  spec.name = fmt::format("ladder {}", loops);
  int coupler = -1;
  for (int k = 0; k <= loops; ++k) {
    Draft crank;
    crank.axis = Vector3d::UnitY();
    crank.X_PB.position = {static_cast<double>(k), 0, 0};
    crank.inertia = inertia(1, {0, 0, 0.5}, {across, across, thin});
    crank.at = {angle, rate, 0};
    const int body = hang(spec, crank);
    if (coupler >= 0) {
      add_joint(spec, JointType::kRevolute, coupler, Pose{{1, 0, 0}, hinge.rotation}, body,
                Pose{{0, 0, 1}, hinge.rotation})
          .velocity = {rate};
    }
    if (k == loops) break;
    Draft link;
    link.parent = body;
    link.axis = Vector3d::UnitY();
    link.X_PB.position = {0, 0, 1};
    link.inertia = inertia(1, {0.5, 0, 0}, {thin, across, across});
    link.at = {-angle, -rate, 0};
    coupler = hang(spec, link);
  }
  return spec;
}

ModelSpec make_stewart(bool free_platform) {
  const double height = 1;
  ModelSpec spec;
  spec.name = "stewart";
  add_body(spec, inertia(20, {0, 0, 0.05}, {0.9, 0.9, 1.6}), Pose{{0, 0, height}, Quaterniond::Identity()});
  for (int k = 0; k < 6; ++k) add_leg(spec, k, height);
  if (free_platform) add_joint(spec, JointType::kFree, -1, Pose{}, 0, Pose{});
  return spec;
}

ModelSpec make_scissor_lift(int stages) {
  const double width = 1, height = 0.7;
  ModelSpec spec;
  spec.name = fmt::format("scissor {}", stages);
  Draft slider;
  slider.type = JointType::kPrismatic;
  slider.axis = Vector3d::UnitX();
  slider.X_PB.position = {width, 0, 0};
  slider.inertia = inertia(1, Vector3d::Zero(), Vector3d::Constant(0.01));
  int left = -1;  // what the next bars stand on
  int right = hang(spec, slider);
  for (int k = 0; k < stages; ++k) {
    const Vector3d a(0, 0, k * height), b(width, 0, k * height), up(0, 0, height);
    const int rising = add_bar(spec, a, b + up);
    const int falling = add_bar(spec, b, a + up);
    pin_at(spec, left, rising, a);
    pin_at(spec, right, falling, b);
    pin_at(spec, rising, falling, (a + b + up) / 2);
    left = falling;
    right = rising;
  }
  return spec;
}

}  // namespace bench
